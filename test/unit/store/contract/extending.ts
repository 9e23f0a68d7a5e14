import assert from 'node:assert/strict';
import type { StoreChange } from '../../../../src/engine/graph.ts';
import type { PortableChat } from '../../../../src/engine/portableChat.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { storeActions, type OpenStore } from './actions.ts';

type Message = PortableChat['messages'][number];

/** What every store does with a later copy of a chat. @param open makes an empty one */
export function specifyExtending(place: string, open: OpenStore): void {
  describe(`a chat that is extended in a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
      await store.importChats('ann', [copy(['a', 'b'], ['b'])]);
    });
    afterEach(() => store.close());
    const { save } = storeActions(() => store);

    const by = { userId: 'ann' };
    const heads = async (): Promise<string[]> =>
      (await store.listBranches('chat')).map(
        ({ name, headMessageId, isActive }) => `${name} ${headMessageId ?? ''}${isActive ? ' *' : ''}`,
      );

    it('goes on where nobody has gone on, and keeps its times', async () => {
      const changes: StoreChange[] = [];
      store.onDidChange((change) => void changes.push(change));
      const extended = await store.extendChat('chat', copy(['a', 'b', 'c', 'd'], ['d']), by);
      assert.deepEqual(extended, { messages: 2, branches: [] });
      assert.deepEqual(await heads(), ['main d *']);
      assert.deepEqual(
        (await store.getPath('chat', 'd')).map(({ id, createdAt, depth }) => [id, createdAt, depth]),
        [
          ['a', 1, 1],
          ['b', 2, 2],
          ['c', 3, 3],
          ['d', 4, 4],
        ],
      );
      assert.deepEqual(changes, [
        { kind: 'messages', chatId: 'chat', branch: 'main', messageIds: ['c', 'd'] },
      ]);
      assert.equal((await store.searchMessages('chat', 'says')).length, 4);
    });

    it('gets a branch for what goes on elsewhere than it did, and the user stays', async () => {
      await save(['mine'], { expectedHead: 'b' });
      const later = copy(['a', 'b', 'c', 'x'], ['c', 'x'], { x: 'a' });
      assert.deepEqual(await store.extendChat('chat', later, by), {
        messages: 2,
        branches: ['main-v2', 'main-v3'],
      });
      assert.deepEqual(await heads(), ['main mine *', 'main-v2 c', 'main-v3 x']);
      const forks = (await store.listBranches('chat')).map(({ forkMessageId }) => forkMessageId);
      assert.deepEqual(forks, [null, 'b', 'a']);
      assert.deepEqual(await store.extendChat('chat', later, by), { messages: 0, branches: [] });
      assert.equal((await heads()).length, 3);
    });

    it('leaves a branch alone on which the user has gone back to say something else', async () => {
      await store.addBranch({
        chatId: 'chat',
        from: 'main',
        messageId: 'b',
        activate: true,
        event: 'rewound',
      });
      await save(['mine'], { expectedHead: 'b' });
      await store.extendChat('chat', copy(['a', 'b', 'c'], ['c']), by);
      assert.deepEqual(await heads(), ['main mine', 'main-v2 b *', 'main-v3 c']);
    });

    it('gets none of what is in the trash, nor what follows it', async () => {
      await store.extendChat('chat', copy(['a', 'b', 'x'], ['b', 'x'], { x: 'a' }), by);
      await store.deleteBranch('chat', 'main-v2');
      const later = copy(['a', 'b', 'x', 'y'], ['b', 'y'], { x: 'a', y: 'x' });
      assert.deepEqual(await store.extendChat('chat', later, by), { messages: 0, branches: [] });
      const [entry] = await store.trash.list({ chatId: 'chat' });
      await store.trash.restore(entry?.id ?? '');
      assert.deepEqual(await heads(), ['main b *', 'main-v2 x']);
    });

    it('gets checkpoints, and keeps those of the same name', async () => {
      await store.setCheckpoint('chat', 'mine', 'a');
      const checkpoints = ['mine', 'theirs'].map((name) => ({ name, messageId: 'c', createdAt: 5 }));
      await store.extendChat('chat', { ...copy(['a', 'b', 'c'], ['c']), checkpoints }, by);
      assert.deepEqual(
        (await store.listCheckpoints('chat')).map(({ name, messageId }) => [name, messageId]).sort(),
        [
          ['mine', 'a'],
          ['theirs', 'c'],
        ],
      );
    });

    it('is refused where there is no such chat, or the copy is none, and then nothing changes', async () => {
      await assert.rejects(store.extendChat('nowhere', copy(['a'], ['a']), by), { code: 'chat-not-found' });
      const broken = { ...copy(['a', 'b', 'c'], ['c']), branches: [] };
      await assert.rejects(store.extendChat('chat', broken, by), { code: 'import-failed' });
      assert.deepEqual(await heads(), ['main b *']);
    });
  });
}

/** @param ends of branches, the active one first @param parents of those that do not follow the one before */
function copy(
  ids: readonly string[],
  ends: readonly string[],
  parents: Record<string, string> = {},
): PortableChat {
  const messages = ids.map((id, at): Message => ({
    id,
    parentId: parents[id] ?? ids[at - 1] ?? null,
    name: 'user',
    type: 'message',
    data: { id, role: 'user', parts: [{ type: 'text', text: `says ${id}` }] },
    invocationId: id,
    createdAt: at + 1,
  }));
  const branches = ends.map((headMessageId, at) => ({
    name: at === 0 ? 'main' : `main-v${at + 1}`,
    headMessageId,
    forkMessageId: null,
    isActive: at === 0,
    createdAt: 1,
  }));
  return {
    id: 'chat',
    metadata: {},
    createdAt: 1,
    updatedAt: 1,
    messages,
    branches,
    checkpoints: [],
    events: [],
  };
}
