import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { idsOf, message, namesOf, storeActions, type OpenStore } from './actions.ts';

/** What every store takes into its trash, gives back, and releases. @param open makes an empty one */
export function specifyTrash(place: string, open: OpenStore): void {
  describe(`the trash of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);

    beforeEach(async () => {
      await started();
      await save(['a', 'b', 'c']);
      await branchAt('b');
      await save(['d', 'e'], { branch: 'main-v2', expectedHead: 'b' });
      await store.activateBranch('chat', 'main');
    });
    const picture = () => store.getGraph('chat');
    const nodes = async (): Promise<string[]> => idsOf((await picture()).nodes);
    const only = async () => {
      const [entry, ...more] = await store.trash.list();
      assert.ok(entry && more.length === 0);
      return entry;
    };

    it('takes a branch with what nothing else reaches, and gives it back as it was', async () => {
      await store.saveDraft({
        chatId: 'chat',
        branch: 'main-v2',
        message: textMessage('x', 'assistant', '…'),
      });
      const before = await picture();
      const entry = await store.deleteBranch('chat', 'main-v2');
      assert.deepEqual(await nodes(), ['a', 'b', 'c']);
      assert.deepEqual(namesOf(await store.listBranches('chat', { includeArchived: true })), ['main']);
      assert.equal(await store.getBranch('chat', 'main-v2'), undefined);
      assert.equal(await store.getMessage('chat', 'e'), undefined);
      assert.deepEqual(await store.searchAllMessages('"says e"'), []);
      assert.deepEqual(await store.listDrafts(), []);
      assert.deepEqual(await store.trash.list(), [entry]);
      const { id: _, deletedAt: __, ...known } = entry;
      assert.deepEqual(known, {
        kind: 'branch',
        chatId: 'chat',
        chatTitle: undefined,
        name: 'main-v2',
        subject: message('d').data,
        messageCount: 2,
      });
      const back = await store.trash.restore(entry.id);
      assert.deepEqual(back, { kind: 'branch', chatId: 'chat', name: 'main-v2' });
      assert.deepEqual(await picture(), before);
      assert.deepEqual(idsOf(await store.getPath('chat', 'e')), ['a', 'b', 'd', 'e']);
      assert.equal((await store.searchAllMessages('"says e"')).length, 1);
      assert.equal((await store.listDrafts()).length, 1);
      assert.deepEqual(await store.trash.list(), []);
      await assert.rejects(store.trash.restore(entry.id), { code: 'not-in-trash' });
      const kinds = (await store.listEvents('chat', { limit: 2 })).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['branch-deleted', 'branch-undeleted']);
    });

    it('tells what a deleted branch was about: its first message, or the question that this answers', async () => {
      await branchAt('c');
      await save([message('f', { name: 'assistant' }), 'g'], { branch: 'main-v3', expectedHead: 'c' });
      await branchAt('c');
      await store.activateBranch('chat', 'main');
      await store.setCheckpoint('chat', 'here', 'a');
      assert.deepEqual((await store.deleteBranch('chat', 'main-v3')).subject, message('c').data);
      assert.deepEqual((await store.deleteBranch('chat', 'main-v2')).subject, message('d').data);
      assert.equal((await store.deleteBranch('chat', 'main-v4')).subject, undefined);
      await store.deleteCheckpoint('chat', 'here');
      assert.deepEqual(
        (await store.trash.list()).map(({ name, subject }) => [name, subject]),
        [
          ['here', undefined],
          ['main-v4', undefined],
          ['main-v2', message('d').data],
          ['main-v3', message('c').data],
        ],
      );
    });

    it('takes no active branch, no last one, and none that is not there', async () => {
      await assert.rejects(store.deleteBranch('chat', 'main'), { code: 'branch-active' });
      await assert.rejects(store.deleteBranch('chat', 'none'), { code: 'branch-not-found' });
      await assert.rejects(store.deleteBranch('none', 'main'), { code: 'chat-not-found' });
      await started('single');
      await assert.rejects(store.deleteBranch('single', 'main'), { code: 'branch-last' });
      assert.deepEqual(await store.trash.list(), []);
      assert.equal((await nodes()).length, 5);
    });

    it('leaves what a checkpoint marks, and what leads there', async () => {
      await store.setCheckpoint('chat', 'c', 'd');
      await store.deleteBranch('chat', 'main-v2');
      assert.deepEqual(await nodes(), ['a', 'b', 'c', 'd']);
      const before = await picture();
      assert.equal(await store.deleteCheckpoint('chat', 'c'), true);
      assert.deepEqual(await nodes(), ['a', 'b', 'c']);
      const [checkpoint] = await store.trash.list();
      assert.deepEqual(
        [checkpoint?.kind, checkpoint?.name, checkpoint?.messageCount],
        ['checkpoint', 'c', 1],
      );
      await store.trash.restore(checkpoint?.id ?? '');
      assert.deepEqual(await picture(), before);
      // What a checkpoint that moves on leaves behind can be found, too.
      await store.setCheckpoint('chat', 'c', 'a');
      assert.deepEqual(await nodes(), ['a', 'b', 'c']);
      const [left] = await store.trash.list();
      assert.deepEqual(await store.trash.restore(left?.id ?? ''), {
        kind: 'checkpoint',
        chatId: 'chat',
        name: 'c (2)',
      });
      assert.equal((await store.getCheckpoint('chat', 'c (2)'))?.messageId, 'd');
    });

    it('gives a branch back whole, though what it began at was deleted after it', async () => {
      await store.addBranch({
        chatId: 'chat',
        from: 'main',
        messageId: null,
        activate: true,
        event: 'rewound',
      });
      const before = await picture();
      const side = await store.deleteBranch('chat', 'main-v2');
      const main = await store.deleteBranch('chat', 'main');
      assert.deepEqual(await nodes(), []);
      await store.trash.restore(side.id);
      assert.deepEqual(await nodes(), ['a', 'b', 'd', 'e']);
      await store.trash.restore(main.id);
      assert.deepEqual(await picture(), before);
      // And it stays whole when the other is gone for good.
      const again = await store.deleteBranch('chat', 'main-v2');
      const gone = await store.deleteBranch('chat', 'main');
      assert.deepEqual((await store.trash.empty({ ids: [gone.id] })).entries, 1);
      await store.trash.restore(again.id);
      assert.deepEqual(await nodes(), ['a', 'b', 'd', 'e']);
    });

    it('gives back under another name what has been replaced', async () => {
      const branch = await store.deleteBranch('chat', 'main-v2');
      await store.createBranch({ chatId: 'chat', name: 'main-v2', headMessageId: 'a' });
      assert.equal((await store.trash.restore(branch.id)).name, 'main-v2-v2');
      await store.deleteChat('chat');
      await started();
      const back = await store.trash.restore((await only()).id);
      assert.notEqual(back.chatId, 'chat');
      assert.equal((await store.getGraph(back.chatId)).nodes.length, 5);
      assert.equal((await store.getMessage(back.chatId, 'a'))?.chatId, back.chatId);
      assert.deepEqual(await nodes(), []);
    });

    it('gives back under no longer name than an import takes', async () => {
      const tree = '🌲'.repeat(100);
      await store.setCheckpoint('chat', tree, 'a');
      await store.deleteCheckpoint('chat', tree);
      await store.setCheckpoint('chat', tree, 'a');
      await store.renameBranch('chat', 'main-v2', tree);
      await store.deleteBranch('chat', tree);
      await branchAt('a', 'main', false);
      await store.renameBranch('chat', 'main-v2', tree);
      const names: (string | undefined)[] = [];
      for (const { id } of await store.trash.list()) names.push((await store.trash.restore(id)).name);
      assert.deepEqual(names.sort(), ['main-v3', `${'🌲'.repeat(98)} (2)`]);
      await store.importChats('ann', [await store.exportChat('chat')]);
    });

    it('does not mix a message with another that has its id by now', async () => {
      const branch = await store.deleteBranch('chat', 'main-v2');
      await save(['d'], { expectedHead: 'c' });
      await assert.rejects(store.trash.restore(branch.id), { code: 'trash-conflict' });
      assert.deepEqual(await store.trash.list(), [branch]);
    });

    it('takes whole chats, which are as they were when they are back', async () => {
      await store.setCheckpoint('chat', 'c', 'd');
      const branch = await store.deleteBranch('chat', 'main-v2');
      const before = [await picture(), await store.getChat('chat')];
      await store.deleteChat('chat');
      const chat = await only();
      assert.deepEqual([chat.kind, chat.chatId, chat.messageCount], ['chat', 'chat', 4]);
      assert.deepEqual(await store.listChats(), []);
      assert.deepEqual(await store.searchAllMessages('says'), []);
      await assert.rejects(store.trash.restore(branch.id), { code: 'trash-conflict' });
      await store.trash.restore(chat.id);
      assert.deepEqual([await picture(), await store.getChat('chat')], before);
      assert.deepEqual(await store.trash.list({ chatId: 'chat' }), [branch]);
      assert.deepEqual(await store.trash.list({ userId: 'bob' }), []);
      await store.trash.restore(branch.id);
      assert.equal((await nodes()).length, 5);
    });

    it('is emptied for good, of all or of what is old or named, and takes the bytes along', async () => {
      const hash = await store.blobs.put(Uint8Array.from([1]));
      const kept = await store.blobs.put(Uint8Array.from([2]));
      const artifact = { name: 'f', version: 0, mediaType: 'text/plain', size: 1 };
      await save([message('f', { effects: { artifacts: [{ ...artifact, hash }] } })], {
        branch: 'main-v2',
        expectedHead: 'e',
      });
      await save([message('g', { data: `see ${kept}` })], { expectedHead: 'c' });
      const branch = await store.deleteBranch('chat', 'main-v2');
      const nothing = { entries: 0, messages: 0, blobs: { count: 0, bytes: 0 } };
      for (const options of [{ deletedBefore: branch.deletedAt }, { ids: [] }, { userId: 'bob' }]) {
        assert.deepEqual(await store.trash.empty({ ...options, blobGrace: 0 }), nothing);
      }
      const report = await store.storageReport();
      assert.deepEqual([report.trash.entries, report.trash.count, report.blobs.count], [1, 3, 2]);
      assert.deepEqual(await store.trash.empty({ blobGrace: 60_000 }), {
        ...nothing,
        entries: 1,
        messages: 3,
      });
      assert.deepEqual(await store.trash.list(), []);
      await assert.rejects(store.trash.restore(branch.id), { code: 'not-in-trash' });
      assert.ok(await store.blobs.get(hash));
      const emptied = await store.trash.empty({ blobGrace: 0 });
      assert.deepEqual(emptied, { ...nothing, blobs: { count: 1, bytes: 1 } });
      assert.equal(await store.blobs.get(hash), undefined);
      assert.deepEqual([...((await store.blobs.get(kept)) ?? [])], [2]);
      assert.deepEqual(await nodes(), ['a', 'b', 'c', 'g']);
    });
  });
}
