import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { idsOf, message, namesOf, storeActions, type OpenStore } from './actions.ts';

/** What every store releases when a branch is discarded. @param open makes an empty one */
export function specifyDiscarding(place: string, open: OpenStore): void {
  describe(`a branch that is discarded, in a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);

    /** A picture of a message, as a question has it. */
    const showing = (id: string, hash: string) =>
      message(id, {
        data: JSON.parse(JSON.stringify(textMessage(id, 'user', `see offshoot-blob:${hash}`))) as ReturnType<
          typeof message
        >['data'],
      });
    const nodes = async (): Promise<string[]> => idsOf((await store.getGraph('chat')).nodes);

    beforeEach(async () => {
      await started();
      await save(['a', 'b', 'c']);
      await store.addBranch({
        chatId: 'chat',
        from: 'main',
        messageId: 'b',
        activate: false,
        event: 'btw',
        naming: 'flat',
      });
      await save(['d', 'e'], { branch: 'main-v2', expectedHead: 'b' });
    });

    it('is gone for good, with its messages, drafts and words, and the log keeps one line', async () => {
      const before = await store.listEvents('chat');
      await store.saveTitle({ chatId: 'chat', messageId: 'd', title: 'Says d' });
      await store.saveDraft({
        chatId: 'chat',
        branch: 'main-v2',
        message: textMessage('x', 'assistant', '…'),
      });
      const heard: unknown[] = [];
      const listening = store.onDidChange((change) => heard.push(change));
      const { messages } = await store.trash.discardBranch('chat', 'main-v2');
      listening.dispose();
      assert.equal(messages, 2);
      assert.deepEqual(await nodes(), ['a', 'b', 'c']);
      assert.deepEqual(namesOf(await store.listBranches('chat', { includeArchived: true })), ['main']);
      assert.equal(await store.getMessage('chat', 'e'), undefined);
      assert.deepEqual(await store.searchAllMessages('"says e"'), []);
      assert.deepEqual(await store.listDrafts(), []);
      assert.deepEqual(await store.trash.list(), []);
      const { trash } = await store.storageReport();
      assert.deepEqual([trash.entries, trash.count], [0, 0]);
      assert.deepEqual(heard, [{ kind: 'branch', chatId: 'chat', branch: 'main-v2', change: 'deleted' }]);
      const events = await store.listEvents('chat');
      const added = events.filter(({ sequence }) => !before.some((each) => each.sequence === sequence));
      assert.deepEqual(
        added.map(({ kind, branch, messageId, details }) => [kind, branch, messageId, details]),
        [['branch-deleted', 'main-v2', undefined, { discarded: true }]],
      );
      assert.doesNotMatch(JSON.stringify(events), /"d"|"e"|Says d/);
      // Its number is not given to another.
      const next = await store.addBranch({
        chatId: 'chat',
        from: 'main',
        messageId: 'b',
        activate: false,
        event: 'btw',
        naming: 'flat',
      });
      assert.equal(next.name, 'main-v3');
      // And what is said under the ids it had is no conflict.
      await save(['d'], { expectedHead: 'c' });
    });

    it('takes along the bytes that only it names, but for those that were put again since', async () => {
      const [own, shared, again] = await Promise.all(
        [1, 2, 3].map((byte) => store.blobs.put(Uint8Array.from([byte]))),
      );
      assert.ok(own && shared && again);
      await save([showing('f', own), showing('g', shared), showing('h', again)], {
        branch: 'main-v2',
        expectedHead: 'e',
      });
      await save([showing('i', shared)], { expectedHead: 'c' });
      const unrelated = await store.blobs.put(Uint8Array.from([4]));
      const saved = Date.now();
      // As long after it as the listing of a folder may take.
      while (Date.now() <= saved + 300) await new Promise((resolve) => setTimeout(resolve, 10));
      // It is attached to a question that is not asked yet.
      await store.blobs.put(Uint8Array.from([3]));
      const { blobs } = await store.trash.discardBranch('chat', 'main-v2');
      assert.deepEqual(blobs, { count: 1, bytes: 1 });
      const kept = await Promise.all([own, shared, again, unrelated].map((hash) => store.blobs.has(hash)));
      assert.deepEqual(kept, [false, true, true, true]);
    });

    it('leaves what other branches, checkpoints and the trash stand on', async () => {
      await branchAt('d', 'main-v2', false);
      await save(['f'], { branch: 'main-v2-v2', expectedHead: 'd' });
      assert.equal((await store.trash.discardBranch('chat', 'main-v2')).messages, 1);
      assert.deepEqual(await nodes(), ['a', 'b', 'c', 'd', 'f']);
      assert.equal((await store.getBranch('chat', 'main-v2-v2'))?.parentBranch, 'main');
      await branchAt('f', 'main-v2-v2', false);
      await save(['g'], { branch: 'main-v2-v2-v2', expectedHead: 'f' });
      const entry = await store.deleteBranch('chat', 'main-v2-v2-v2');
      await store.setCheckpoint('chat', 'here', 'd');
      assert.equal((await store.trash.discardBranch('chat', 'main-v2-v2')).messages, 0);
      assert.deepEqual(await nodes(), ['a', 'b', 'c', 'd']);
      await store.trash.restore(entry.id);
      assert.deepEqual(idsOf(await store.getPath('chat', 'g')), ['a', 'b', 'd', 'f', 'g']);
    });

    it('is not the one the user is on, nor the last, nor one that is not there', async () => {
      const { trash } = store;
      await assert.rejects(trash.discardBranch('chat', 'main'), { code: 'branch-active' });
      await assert.rejects(trash.discardBranch('chat', 'none'), { code: 'branch-not-found' });
      await assert.rejects(trash.discardBranch('none', 'main'), { code: 'chat-not-found' });
      await started('single');
      await assert.rejects(trash.discardBranch('single', 'main'), { code: 'branch-last' });
      assert.deepEqual(await nodes(), ['a', 'b', 'c', 'd', 'e']);
      // Another user who is on it comes to another.
      await store.activateBranch('chat', 'main-v2', { userId: 'bob' });
      await trash.discardBranch('chat', 'main-v2');
      assert.equal((await store.getActiveBranch('chat', { userId: 'bob' }))?.name, 'main');
    });
  });
}
