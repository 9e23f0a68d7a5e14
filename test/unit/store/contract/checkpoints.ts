import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { namesOf, storeActions, type OpenStore } from './actions.ts';

/** What every store does with checkpoints. @param open makes an empty one */
export function specifyCheckpoints(place: string, open: OpenStore): void {
  describe(`the checkpoints of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save } = storeActions(() => store);

    beforeEach(async () => {
      await started();
      await save(['a', 'b']);
    });

    it('are set, moved under the same id, renamed and deleted', async () => {
      const set = await store.setCheckpoint('chat', ' c ', 'a');
      const moved = await store.setCheckpoint('chat', 'c', 'b');
      assert.deepEqual([set.name, moved.id, moved.messageId], ['c', set.id, 'b']);
      assert.deepEqual(await store.getCheckpoint('chat', 'c'), moved);
      await store.setCheckpoint('chat', 'd', 'a');
      await assert.rejects(store.renameCheckpoint('chat', 'c', 'd'), { code: 'checkpoint-exists' });
      assert.equal((await store.renameCheckpoint('chat', 'c', 'e')).id, set.id);
      await assert.rejects(store.renameCheckpoint('chat', 'c', 'f'), { code: 'checkpoint-not-found' });
      assert.equal(await store.deleteCheckpoint('chat', 'e'), true);
      assert.equal(await store.deleteCheckpoint('chat', 'e'), false);
      assert.deepEqual(namesOf(await store.listCheckpoints('chat')), ['d']);
    });

    it('point to messages of their own chat', async () => {
      await started('other');
      await assert.rejects(store.setCheckpoint('other', 'c', 'a'), { code: 'message-not-found' });
      assert.equal(await store.getCheckpoint('other', 'c'), undefined);
    });
  });
}
