import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { textMessage, textOf } from '../../../../src/engine/uiMessage.ts';
import { storeActions, type OpenStore } from './actions.ts';

/** What every store keeps outside its chats: drafts, shared state, bytes. @param open makes an empty one */
export function specifyOutsideChats(place: string, open: OpenStore): void {
  describe(`outside its chats, a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started } = storeActions(() => store);

    it('keeps one draft for each branch, also when the branch is renamed', async () => {
      await started();
      const draft = (text: string) => textMessage('d', 'assistant', text);
      await store.saveDraft({ chatId: 'chat', branch: 'main', message: draft('one') });
      await store.saveDraft({ chatId: 'chat', branch: 'main', message: draft('two') });
      await store.renameBranch('chat', 'main', 'trunk');
      const drafts = await store.listDrafts('chat');
      assert.deepEqual(
        drafts.map(({ branch, message: read }) => [branch, textOf(read)]),
        [['trunk', 'two']],
      );
      assert.deepEqual(await store.listDrafts('other'), []);
      await store.deleteDraft('chat', 'trunk');
      assert.deepEqual(await store.listDrafts(), []);
    });

    it('keeps what is shared outside the chats: it stays when they go', async () => {
      await started();
      const artifact = { name: 'user:f', version: 0, mediaType: 'text/plain', hash: 'h', size: 1 };
      await store.saveMessages({
        chatId: 'chat',
        branch: 'main',
        expectedHead: null,
        onHeadConflict: 'error',
        newBranchAt: undefined,
        activate: true,
        messages: [],
        shared: {
          userId: 'ann',
          user: new Map([['user:k', 1]]),
          app: new Map([['app:k', { deep: [2] }]]),
          artifacts: [artifact, artifact],
        },
      });
      await store.deleteChat('chat');
      assert.deepEqual([...(await store.getSharedState({ scope: 'user', userId: 'ann' }))], [['user:k', 1]]);
      assert.deepEqual([...(await store.getSharedState({ scope: 'user', userId: 'bob' }))], []);
      assert.deepEqual([...(await store.getSharedState({ scope: 'app' }))], [['app:k', { deep: [2] }]]);
      assert.deepEqual(
        (await store.getSharedArtifacts('ann')).get('user:f')?.map(({ version }) => version),
        [0, 1],
      );
    });

    it('keeps bytes once, found by what they are', async () => {
      const bytes = Uint8Array.from([1, 2, 3]);
      const hash = await store.blobs.put(bytes);
      bytes.fill(0);
      assert.equal(await store.blobs.put(Uint8Array.from([1, 2, 3])), hash);
      assert.match(hash, /^[0-9a-f]{64}$/);
      assert.deepEqual([...((await store.blobs.get(hash)) ?? [])], [1, 2, 3]);
      assert.equal(await store.blobs.get('0'.repeat(64)), undefined);
    });
  });
}
