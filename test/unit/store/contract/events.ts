import assert from 'node:assert/strict';
import type { StoreChange } from '../../../../src/engine/graph.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { storeActions, type OpenStore } from './actions.ts';

/** What every store logs, and tells those who listen. @param open makes an empty one */
export function specifyEvents(place: string, open: OpenStore): void {
  describe(`the events of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);

    it('logs everything that happens, in order', async () => {
      await started();
      await save(['a']);
      await branchAt('a');
      await store.setCheckpoint('chat', 'c', 'a');
      await store.logEvent({ chatId: 'chat', kind: 'rewind-report', details: { report: 'r' } });
      const events = await store.listEvents('chat');
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ['chat-created', 'messages-saved', 'rewound', 'checkpoint-set', 'rewind-report'],
      );
      assert.deepEqual(events.at(-1)?.details, { report: 'r' });
      assert.deepEqual(await store.listEvents('chat', { limit: 2 }), events.slice(-2));
      const [, , third] = events;
      const page = { before: third?.sequence ?? 0, limit: 1 };
      assert.deepEqual(await store.listEvents('chat', page), events.slice(1, 2), 'the page before');
      const some = await store.listEvents('chat', { kinds: ['rewound', 'messages-saved'] });
      assert.deepEqual(some, events.slice(1, 3), 'those of some kinds');
    });

    it('tells of a change once it can be read, and of none that was refused', async () => {
      const changes: StoreChange[] = [];
      const heads: Promise<unknown>[] = [];
      const subscription = store.onDidChange((change) => {
        changes.push(change);
        if (change.kind === 'messages') heads.push(store.getMessage('chat', 'a'));
      });
      await started();
      await save(['a']);
      await assert.rejects(save(['b']));
      assert.deepEqual(changes, [
        { kind: 'chat', chatId: 'chat', change: 'created' },
        { kind: 'messages', chatId: 'chat', branch: 'main', messageIds: ['a'] },
      ]);
      assert.ok(await heads[0]);
      subscription.dispose();
      await store.setCheckpoint('chat', 'c', 'a');
      assert.equal(changes.length, 2);
    });
  });
}
