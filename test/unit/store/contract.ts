import assert from 'node:assert/strict';
import type { StoreChange } from '../../../src/engine/graph.ts';
import type { ContextStore, NewMessage, SavedMessages } from '../../../src/engine/store.ts';
import { textMessage, textOf } from '../../../src/engine/uiMessage.ts';

/**
 * What every store does, whatever keeps it.
 * @param open makes an empty one
 */
export function specifyStore(place: string, open: () => ContextStore | Promise<ContextStore>): void {
  describe(`a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const message = (id: string, more: Partial<NewMessage> = {}): NewMessage => ({
      id,
      name: 'user',
      type: 'message',
      data: JSON.parse(JSON.stringify(textMessage(id, 'user', `says ${id}`))) as NewMessage['data'],
      invocationId: undefined,
      replaces: undefined,
      effects: undefined,
      ...more,
    });
    const nothingShared = {
      userId: 'ann',
      user: new Map<string, never>(),
      app: new Map<string, never>(),
      artifacts: [],
    };
    const save = (
      ids: readonly (string | NewMessage)[],
      { branch = 'main', expectedHead = null as string | null, chatId = 'chat' } = {},
    ): Promise<SavedMessages> =>
      store.saveMessages({
        chatId,
        branch,
        expectedHead,
        onHeadConflict: 'error',
        newBranchAt: undefined,
        activate: true,
        messages: ids.map((id) => (typeof id === 'string' ? message(id) : id)),
        shared: nothingShared,
      });
    const started = async (id = 'chat', userId = 'ann'): Promise<void> => {
      await store.upsertChat({ id, userId });
    };
    const branchAt = (messageId: string | null, from = 'main', activate = true) =>
      store.addBranch({ chatId: 'chat', from, messageId, activate, event: 'rewound' });
    const idsOf = (messages: readonly { readonly id: string }[]): string[] => messages.map(({ id }) => id);
    const namesOf = (named: readonly { readonly name: string }[]): string[] => named.map(({ name }) => name);

    describe('chats', () => {
      it('are created once, with an empty active branch named main', async () => {
        const chat = await store.createChat({ id: 'chat', userId: 'ann', title: 'T', metadata: { a: 1 } });
        assert.deepEqual([chat.title, chat.metadata, chat.createdAt], ['T', { a: 1 }, chat.updatedAt]);
        await assert.rejects(store.createChat({ id: 'chat', userId: 'ann' }), { code: 'chat-exists' });
        const branch = await store.getActiveBranch('chat');
        assert.deepEqual([branch?.name, branch?.headMessageId, branch?.messageCount], ['main', null, 0]);
      });

      it('are opened by their owner alone, and only metadata they lack is added', async () => {
        await store.upsertChat({ id: 'chat', userId: 'ann', metadata: { a: 1, b: 1 } });
        await store.upsertChat({ id: 'chat', userId: 'ann' });
        const chat = await store.upsertChat({ id: 'chat', userId: 'ann', metadata: { b: 2, c: 3 } });
        assert.deepEqual(chat.metadata, { a: 1, b: 1, c: 3 });
        await assert.rejects(store.upsertChat({ id: 'chat', userId: 'bob' }), { code: 'chat-not-found' });
        assert.equal(await store.getChat('chat', { userId: 'bob' }), undefined);
        assert.deepEqual(await store.getChat('chat', { userId: 'ann' }), chat);
      });

      it('keep a title until another is given', async () => {
        await store.upsertChat({ id: 'chat', userId: 'ann', title: 'T' });
        assert.equal((await store.updateChat('chat', { metadata: { a: 1 } })).title, 'T');
        assert.equal((await store.updateChat('chat', { title: 'U' })).title, 'U');
        await assert.rejects(store.updateChat('none', { title: 'U' }), { code: 'chat-not-found' });
      });

      it('are listed most recently used first, by owner and metadata, page by page', async () => {
        for (const [id, userId, kind] of [
          ['1', 'ann', 'a'],
          ['2', 'bob', 'a'],
          ['3', 'ann', 'b'],
          ['4', 'ann', 'a'],
        ] as const) {
          await store.upsertChat({ id, userId, metadata: { kind, deep: { x: [1] } } });
        }
        assert.deepEqual(idsOf(await store.listChats()), ['4', '3', '2', '1']);
        assert.deepEqual(idsOf(await store.listChats({ userId: 'ann' })), ['4', '3', '1']);
        assert.deepEqual(idsOf(await store.listChats({ metadata: { kind: 'a', deep: { x: [1] } } })), [
          '4',
          '2',
          '1',
        ]);
        assert.deepEqual(idsOf(await store.listChats({ userId: 'ann', limit: 1, offset: 1 })), ['3']);
        assert.deepEqual(idsOf(await store.listChats({ offset: 9 })), []);
        assert.deepEqual(idsOf(await store.listChats({ limit: 0 })), []);
      });

      it('are deleted with all they hold, and nothing of other chats', async () => {
        await started('other');
        await save(['m'], { chatId: 'other' });
        await started();
        await save(['m']);
        await store.setCheckpoint('chat', 'c', 'm');
        await store.saveDraft({
          chatId: 'chat',
          branch: 'main',
          message: textMessage('d', 'assistant', '…'),
        });
        assert.equal(await store.deleteChat('chat', { userId: 'bob' }), false);
        assert.equal(await store.deleteChat('chat', { userId: 'ann' }), true);
        assert.equal(await store.deleteChat('chat'), false);
        assert.equal(await store.getChat('chat'), undefined);
        assert.deepEqual(await store.listDrafts(), []);
        await assert.rejects(store.getGraph('chat'), { code: 'chat-not-found' });
        assert.deepEqual(idsOf((await store.getGraph('other')).nodes), ['m']);
        assert.equal((await store.searchMessages('other', 'says')).length, 1);
      });

      it('begin anew under the id of one that was deleted', async () => {
        await started();
        await save(['m']);
        await store.deleteChat('chat');
        await started();
        assert.deepEqual(await store.searchMessages('chat', 'says'), []);
        assert.deepEqual(namesOf(await store.listBranches('chat')), ['main']);
        assert.equal((await store.listEvents('chat')).length, 1);
        assert.equal((await save(['m'])).branch.headMessageId, 'm');
      });
    });

    describe('messages', () => {
      beforeEach(() => started());

      it('are appended to their branch, each below the one before', async () => {
        const { branch, messages } = await save(['a', 'b']);
        assert.deepEqual([branch.headMessageId, branch.messageCount], ['b', 2]);
        assert.deepEqual(
          messages.map(({ id, parentId, depth }) => [id, parentId, depth]),
          [
            ['a', null, 1],
            ['b', 'a', 2],
          ],
        );
        assert.deepEqual(await store.getMessage('chat', 'b'), messages[1]);
        assert.equal(await store.getMessage('chat', 'c'), undefined);
        assert.equal(await store.getMessage('none', 'b'), undefined);
      });

      it('come back as they were given', async () => {
        const given = message('a', {
          data: { id: 'a', role: 'user', parts: [{ type: 'text', text: "it's \u0000 👩‍👩‍👧 \u2028" }], n: 1.5 },
          effects: { state: { set: { k: [null, { x: '1' }] }, deleted: ['gone'] } },
          replaces: 'old',
          invocationId: 'turn',
        });
        await save([given]);
        const { chatId, createdAt, depth, parentId, ...read } = (await store.getMessage('chat', 'a')) ?? {};
        assert.deepEqual(read, given);
        assert.deepEqual([chatId, depth, parentId, typeof createdAt], ['chat', 1, null, 'number']);
      });

      it('stand on a path, whole or the last of it', async () => {
        await save(['a', 'b', 'c', 'd']);
        assert.deepEqual(idsOf(await store.getPath('chat', 'c')), ['a', 'b', 'c']);
        assert.deepEqual(idsOf(await store.getPath('chat', 'd', { limit: 2 })), ['c', 'd']);
        assert.deepEqual(idsOf(await store.getPath('chat', 'b', { limit: 9 })), ['a', 'b']);
        await assert.rejects(store.getPath('chat', 'x'), { code: 'message-not-found' });
      });

      it('stand after an ancestor, and after nothing else', async () => {
        await save(['a', 'b', 'c', 'd']);
        const side = await branchAt('b');
        await save(['e'], { branch: side.name, expectedHead: 'b' });
        const after = async (ancestor: string, head: string): Promise<string[] | undefined> => {
          const path = await store.getPathAfter('chat', ancestor, head);
          return path && idsOf(path);
        };
        assert.deepEqual(await after('b', 'd'), ['c', 'd']);
        assert.deepEqual(await after('b', 'e'), ['e']);
        assert.deepEqual(await after('d', 'd'), []);
        assert.equal(await after('c', 'e'), undefined);
        assert.equal(await after('d', 'a'), undefined);
      });

      it('have a parent, or none, or are not there', async () => {
        await save(['a', 'b']);
        const parents = await store.getParentIds('chat', ['x', 'b', 'a', 'b']);
        assert.deepEqual([...parents].sort(), [
          ['a', null],
          ['b', 'a'],
        ]);
        assert.equal((await store.getParentIds('nowhere', ['a'])).size, 0);
        assert.equal(await store.isMessageElsewhere('chat', 'a'), false);
        assert.equal(await store.isMessageElsewhere('other', 'a'), true);
      });

      it('belong to the turn of the message before, and a turn is found by its first', async () => {
        await save([message('a', { invocationId: 't1' }), 'b', message('c', { invocationId: 't2' }), 'd']);
        assert.equal((await store.getMessage('chat', 'd'))?.invocationId, 't2');
        assert.equal((await store.findInvocation('chat', 't2'))?.id, 'c');
        assert.equal(await store.findInvocation('chat', 'none'), undefined);
      });

      it('are refused when the branch has moved on, and then nothing is stored', async () => {
        await save(['a']);
        const events = (await store.listEvents('chat')).length;
        await assert.rejects(save(['b']), { code: 'head-conflict', expectedHead: null, actualHead: 'a' });
        assert.equal(await store.getMessage('chat', 'b'), undefined);
        assert.equal((await store.listEvents('chat')).length, events);
      });

      it('never change: an id that is taken is refused, with all that came with it', async () => {
        await save(['a']);
        await assert.rejects(save(['b', 'a'], { expectedHead: 'a' }), { code: 'message-exists' });
        assert.equal(await store.getMessage('chat', 'b'), undefined);
        assert.equal((await store.getBranch('chat', 'main'))?.headMessageId, 'a');
        assert.equal((await store.searchMessages('chat', 'b')).length, 0);
      });

      it('are known without what they say, in the order they were stored, those of no branch as well', async () => {
        await started();
        await save(['a', 'b']);
        await branchAt('a');
        await save([message('c', { name: 'assistant' })], { branch: 'main-v2', expectedHead: 'a' });
        await started('other');
        await save(['x'], { chatId: 'other' });
        assert.deepEqual(await store.getSkeleton('chat'), [
          { id: 'a', parentId: null, name: 'user' },
          { id: 'b', parentId: 'a', name: 'user' },
          { id: 'c', parentId: 'a', name: 'assistant' },
        ]);
        await assert.rejects(store.getSkeleton('none'), { code: 'chat-not-found' });
      });

      it('have a last common ancestor, which may be one of them, or none', async () => {
        await started();
        await save(['a', 'b', 'c']);
        await branchAt('b');
        await save(['d', 'e', 'f'], { branch: 'main-v2', expectedHead: 'b' });
        await branchAt(null);
        await save(['g'], { branch: 'main-v3' });
        const meet = async (one: string, other: string): Promise<string | undefined> =>
          (await store.findCommonAncestor('chat', one, other))?.id;
        assert.equal(await meet('c', 'f'), 'b');
        assert.equal(await meet('f', 'c'), 'b');
        assert.equal(await meet('a', 'e'), 'a');
        assert.equal(await meet('d', 'd'), 'd');
        assert.equal(await meet('c', 'g'), undefined);
        await assert.rejects(meet('c', 'none'), { code: 'message-not-found' });
      });
    });

    describe('branches', () => {
      beforeEach(async () => {
        await started();
        await save(['a', 'b']);
      });

      it('are listed in the order they were made, one of them active', async () => {
        const second = await branchAt('a');
        const third = await branchAt(null, 'main', false);
        assert.deepEqual([second.name, second.messageCount, second.forkMessageId], ['main-v2', 1, 'a']);
        assert.deepEqual([third.name, third.headMessageId, third.isActive], ['main-v3', null, false]);
        assert.equal(third.parentBranch, 'main');
        const all = await store.listBranches('chat');
        assert.deepEqual(namesOf(all), ['main', 'main-v2', 'main-v3']);
        assert.deepEqual(
          all.map(({ isActive }) => isActive),
          [false, true, false],
        );
        await assert.rejects(branchAt('x'), { code: 'message-not-found' });
        await assert.rejects(branchAt('a', 'none'), { code: 'branch-not-found' });
        assert.equal((await store.listBranches('chat')).length, 3);
      });

      it('are made under a name of the caller, at any message or none, and only made active when asked', async () => {
        const made = await store.createBranch({ chatId: 'chat', name: ' idea ', headMessageId: 'a' });
        assert.deepEqual(
          [made.name, made.headMessageId, made.forkMessageId, made.messageCount, made.isActive],
          ['idea', 'a', 'a', 1, false],
        );
        assert.equal(made.parentBranch, undefined);
        const request = { chatId: 'chat', name: 'empty', headMessageId: null, from: 'idea', activate: true };
        const empty = await store.createBranch(request);
        assert.deepEqual([empty.parentBranch, empty.messageCount, empty.isActive], ['idea', 0, true]);
        assert.deepEqual(namesOf(await store.listBranches('chat')), ['main', 'idea', 'empty']);
        assert.equal((await store.getActiveBranch('chat'))?.name, 'empty');
        assert.equal((await store.listEvents('chat', { limit: 1 }))[0]?.kind, 'branch-created');
        for (const [bad, code] of [
          [{ name: 'idea' }, 'branch-exists'],
          [{ headMessageId: 'x' }, 'message-not-found'],
          [{ from: 'none' }, 'branch-not-found'],
          [{ name: '\n' }, 'invalid-name'],
          [{ chatId: 'none' }, 'chat-not-found'],
        ] as const) {
          await assert.rejects(store.createBranch({ ...request, name: 'new', ...bad }), { code });
        }
        assert.equal((await store.listBranches('chat')).length, 3);
      });

      it('are activated, one at a time', async () => {
        await branchAt('a');
        assert.equal((await store.activateBranch('chat', 'main')).isActive, true);
        assert.equal((await store.getActiveBranch('chat'))?.name, 'main');
        await assert.rejects(store.activateBranch('chat', 'none'), { code: 'branch-not-found' });
        assert.equal((await store.getActiveBranch('chat'))?.name, 'main');
      });

      it('are renamed to a name that is free', async () => {
        await branchAt('a');
        const renamed = await store.renameBranch('chat', 'main', '  trunk ');
        assert.equal(renamed.name, 'trunk');
        assert.equal((await store.getBranch('chat', 'trunk'))?.id, renamed.id);
        assert.equal(await store.getBranch('chat', 'main'), undefined);
        await assert.rejects(store.renameBranch('chat', 'trunk', 'main-v2'), { code: 'branch-exists' });
        assert.equal((await store.renameBranch('chat', 'trunk', 'trunk')).name, 'trunk');
        await assert.rejects(store.renameBranch('chat', 'main', 'x'), { code: 'branch-not-found' });
      });

      it('are archived out of the list and back, except the active one', async () => {
        await branchAt('a');
        await assert.rejects(store.archiveBranch('chat', 'main-v2'), { code: 'branch-active' });
        assert.ok((await store.archiveBranch('chat', 'main')).archivedAt !== undefined);
        assert.deepEqual(namesOf(await store.listBranches('chat')), ['main-v2']);
        assert.equal((await store.listBranches('chat', { includeArchived: true })).length, 2);
        assert.deepEqual(idsOf((await store.getGraph('chat')).nodes), ['a', 'b']);
        assert.equal((await store.unarchiveBranch('chat', 'main')).archivedAt, undefined);
        assert.equal((await store.listBranches('chat')).length, 2);
      });
    });

    describe('checkpoints', () => {
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

    describe('the trash', () => {
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
        assert.deepEqual(await store.searchAllMessages('says e'), []);
        assert.deepEqual(await store.listDrafts(), []);
        assert.deepEqual(await store.trash.list(), [entry]);
        const { id: _, deletedAt: __, ...known } = entry;
        assert.deepEqual(known, {
          kind: 'branch',
          chatId: 'chat',
          chatTitle: undefined,
          name: 'main-v2',
          messageCount: 2,
        });
        const back = await store.trash.restore(entry.id);
        assert.deepEqual(back, { kind: 'branch', chatId: 'chat', name: 'main-v2' });
        assert.deepEqual(await picture(), before);
        assert.deepEqual(idsOf(await store.getPath('chat', 'e')), ['a', 'b', 'd', 'e']);
        assert.equal((await store.searchAllMessages('says e')).length, 1);
        assert.equal((await store.listDrafts()).length, 1);
        assert.deepEqual(await store.trash.list(), []);
        await assert.rejects(store.trash.restore(entry.id), { code: 'not-in-trash' });
        const kinds = (await store.listEvents('chat', { limit: 2 })).map(({ kind }) => kind);
        assert.deepEqual(kinds, ['branch-deleted', 'branch-undeleted']);
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

    it('reports what is kept and how large it is', async () => {
      await store.upsertChat({ id: 'chat', userId: 'ann', title: 'T' });
      await save(['a', 'b']);
      await started('bobs', 'bob');
      await branchAt('a');
      await store.archiveBranch('chat', 'main');
      await store.blobs.put(Uint8Array.from([1, 2, 3]));
      const report = await store.storageReport({ userId: 'ann' });
      const bytes = (await store.getPath('chat', 'b')).reduce(
        (sum, { data }) => sum + JSON.stringify(data).length,
        0,
      );
      assert.deepEqual(report.chats, [
        { chatId: 'chat', title: 'T', messages: { count: 2, bytes }, branches: 2, archivedBranches: 1 },
      ]);
      assert.deepEqual(report.trash, { entries: 0, count: 0, bytes: 0 });
      assert.deepEqual(report.blobs, { count: 1, bytes: 3 });
      // It may be about to be named.
      assert.deepEqual(report.unusedBlobs, { count: 0, bytes: 0 });
      assert.ok(report.database.bytes > bytes && report.database.free < report.database.bytes);
    });

    it('draws a chat with every message, branch and checkpoint', async () => {
      await started();
      await save(['a', 'b']);
      await branchAt('a');
      await store.setCheckpoint('chat', 'c', 'b');
      const graph = await store.getGraph('chat');
      assert.deepEqual(
        graph.nodes.map(({ createdAt: _, ...node }) => node),
        [
          { id: 'a', parentId: null, role: 'user', content: 'says a' },
          { id: 'b', parentId: 'a', role: 'user', content: 'says b' },
        ],
      );
      assert.deepEqual(graph.branches, [
        { name: 'main', headMessageId: 'b', isActive: false },
        { name: 'main-v2', headMessageId: 'a', isActive: true },
      ]);
      assert.deepEqual(graph.checkpoints, [{ name: 'c', messageId: 'b' }]);
    });

    it('finds messages of one chat, by role, and no more than asked for', async () => {
      await started();
      await save(['a', 'b', message('c', { name: 'assistant' }), message('d', { type: 'internal' })]);
      const found = async (query: string, options = {}): Promise<string[]> =>
        (await store.searchMessages('chat', query, options)).map(({ message: { id } }) => id);
      assert.deepEqual((await found('says')).sort(), ['a', 'b', 'c']);
      assert.deepEqual(await found('says', { roles: ['assistant'] }), ['c']);
      assert.equal((await found('says', { limit: 2 })).length, 2);
      assert.deepEqual(await found('says b'), ['b']);
    });

    describe('search', () => {
      const says = (id: string, text: string, name = 'user'): NewMessage =>
        message(id, {
          name,
          data: JSON.parse(
            JSON.stringify(textMessage(id, name === 'user' ? 'user' : 'assistant', text)),
          ) as NewMessage['data'],
        });
      const foundIn = async (query: string, options = {}): Promise<string[]> =>
        idsOf((await store.searchMessages('chat', query, options)).map(({ message: found }) => found));

      it('finds words, beginnings, phrases, and whatever punctuation there is', async () => {
        await started();
        await save([says('1', "What's a foo-bar? It is a_b.c(d)!"), says('2', 'foo and then bar, said Zoë')]);
        for (const [query, expected] of [
          ["what's", ['1']],
          ['foo-bar', ['1']],
          ['FOO bar', ['1', '2']],
          ['"foo bar"', ['1']],
          ['"foo and th', ['2']],
          ['the', ['2']],
          ['th* said', ['2']],
          ['th said', []],
          ['a_b.c', ['1']],
          ['zoe', ['2']],
          ['Zoe\u0308', ['2']],
          ['b ab', []],
          ['"', []],
          ['', []],
          ['* -', []],
          ['\0', []],
          ['foo\0bar', ['1']],
          ['\ud800', []],
          ['foo \udfff', ['1', '2']],
          ['NEAR foo', []],
          ['text:foo', []],
        ] as const) {
          assert.deepEqual((await foundIn(query)).sort(), expected, JSON.stringify(query));
        }
      });

      it('finds emoji, scripts without spaces, and what stands after a NUL', async () => {
        await started();
        await save([
          says('1', 'done 🎉👩‍👩‍👧🇩🇪'),
          says('2', '我喜欢文学 and カタカナー'),
          says('3', 'before\0after'),
          says('4', '🎊'),
        ]);
        for (const [query, expected] of [
          ['🎉', ['1']],
          ['👩‍👩‍👧', ['1']],
          ['🇩🇪', ['1']],
          ['喜欢', ['2']],
          ['欢喜', []],
          ['タカ', ['2']],
          ['after', ['3']],
        ] as const) {
          assert.deepEqual(await foundIn(query), expected, query);
        }
        const [emoji, han] = [await store.searchAllMessages('🎉'), await store.searchAllMessages('文学')];
        assert.equal(emoji[0]?.snippet, 'done [🎉]👩‍👩‍👧🇩🇪');
        assert.equal(han[0]?.snippet, '我喜欢[文][学] and カタカナー');
      });

      it('takes a question as long as a person can paste', async () => {
        await started();
        await save([says('1', 'needle')]);
        for (const query of [
          'x'.repeat(100_000),
          'needle '.repeat(14_000),
          '"needle'.repeat(14_000),
          'ä'.repeat(1e5),
        ]) {
          assert.ok((await foundIn(query)).length <= 1);
        }
        assert.deepEqual(await foundIn('needle '.repeat(14_000)), ['1']);
      });

      it('puts first what says most of the question in fewest words, then what is newest', async () => {
        await started();
        await save([
          says('once', 'a cat in a text of many other words that speak of dogs and birds and fish and trees'),
          says('often', 'cat cat cat, a text on the cat'),
          says('short', 'a cat'),
          says('newer', 'a cat'),
          says('rare', 'an ocelot and a dog'),
          says('dogs', 'a dog and a dog'),
        ]);
        assert.deepEqual(await foundIn('cat'), ['often', 'newer', 'short', 'once']);
        const ranks = (await store.searchMessages('chat', 'cat')).map(({ rank }) => rank);
        assert.deepEqual(
          ranks,
          ranks.toSorted((a, b) => b - a),
        );
      });

      it('looks through all chats of a user, by role, as far as asked for', async () => {
        await started('chat');
        await started('other');
        await started('bobs', 'bob');
        await save([says('1', 'a shared word'), says('2', 'word', 'assistant')]);
        await save([says('1', 'word [here]')], { chatId: 'other' });
        await save([says('1', 'word')], { chatId: 'bobs' });
        const found = async (options = {}): Promise<string[]> =>
          (await store.searchAllMessages('word', options))
            .map(({ message: { chatId, id } }) => `${chatId} ${id}`)
            .sort();
        assert.deepEqual(await found(), ['bobs 1', 'chat 1', 'chat 2', 'other 1']);
        assert.deepEqual(await found({ userId: 'ann' }), ['chat 1', 'chat 2', 'other 1']);
        assert.deepEqual(await found({ userId: 'ann', roles: ['assistant'] }), ['chat 2']);
        assert.equal((await found({ limit: 2 })).length, 2);
        assert.deepEqual(await found({ limit: 0 }), []);
        assert.deepEqual(await found({ userId: 'nobody' }), []);
        const [hit] = await store.searchAllMessages('here', { marks: ['<b>', '</b>'] });
        assert.equal(hit?.snippet, 'word [<b>here</b>]');
      });

      it('says which branch leads to a message: the active one, else the newest in sight', async () => {
        await started();
        await save(['a', 'b', 'c']);
        await branchAt('b');
        await branchAt('b');
        const leadingTo = async (id: string): Promise<string | undefined> =>
          (await store.findBranchWith('chat', id))?.name;
        assert.deepEqual(
          [await leadingTo('a'), await leadingTo('b'), await leadingTo('c')],
          ['main-v3', 'main-v3', 'main'],
        );
        await store.activateBranch('chat', 'main');
        assert.equal(await leadingTo('a'), 'main');
        await branchAt(null);
        assert.equal(await leadingTo('a'), 'main-v3');
        await store.archiveBranch('chat', 'main-v3');
        assert.equal(await leadingTo('a'), 'main-v2');
        await assert.rejects(store.findBranchWith('chat', 'x'), { code: 'message-not-found' });
      });

      it('lead from a fork to the branch that was used last, and name the ways there', async () => {
        await started();
        await save(['q', 'a']);
        await branchAt('q');
        await save(['b', 'b2'], { branch: 'main-v2', expectedHead: 'q' });
        await branchAt('b', 'main-v2');
        await save(['c'], { branch: 'main-v2-v2', expectedHead: 'b' });
        const siblings = await store.getSiblings('chat', ['q', 'a', 'b', 'c', 'nobody']);
        assert.deepEqual(
          [...siblings],
          [
            ['a', ['a', 'b']],
            ['b', ['a', 'b']],
            ['c', ['b2', 'c']],
          ],
        );
        assert.deepEqual(idsOf(await store.getChildren('chat', 'q')), ['a', 'b']);
        const usedWith = async (id: string): Promise<string | undefined> =>
          (await store.findBranchUsedWith('chat', id))?.name;
        assert.equal(await usedWith('b'), 'main-v2-v2');
        await store.activateBranch('chat', 'main-v2');
        await store.activateBranch('chat', 'main');
        assert.deepEqual([await usedWith('b'), await usedWith('a')], ['main-v2', 'main']);
        await store.archiveBranch('chat', 'main-v2');
        assert.equal(await usedWith('b'), 'main-v2-v2');
      });

      it('hide from a fork what only archived branches lead to', async () => {
        await started();
        await save(['q', 'a']);
        await branchAt('q');
        await save(['b'], { branch: 'main-v2', expectedHead: 'q' });
        await branchAt('q', 'main-v2');
        await save(['c'], { branch: 'main-v2-v2', expectedHead: 'q' });
        await store.archiveBranch('chat', 'main');
        assert.deepEqual((await store.getSiblings('chat', ['c'])).get('c'), ['b', 'c']);
        await store.archiveBranch('chat', 'main-v2');
        assert.equal((await store.getSiblings('chat', ['c'])).size, 0);
      });
    });

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

    it('keeps what is shared beside the chats: it stays when they go', async () => {
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

    it('tells of a change once it can be read, and of none that was refused', async () => {
      const told: StoreChange[] = [];
      const heads: Promise<unknown>[] = [];
      const subscription = store.onDidChange((change) => {
        told.push(change);
        if (change.kind === 'messages') heads.push(store.getMessage('chat', 'a'));
      });
      await started();
      await save(['a']);
      await assert.rejects(save(['b']));
      assert.deepEqual(told, [
        { kind: 'chat', chatId: 'chat', change: 'created' },
        { kind: 'messages', chatId: 'chat', branch: 'main', messageIds: ['a'] },
      ]);
      assert.ok(await heads[0]);
      subscription.dispose();
      await store.setCheckpoint('chat', 'c', 'a');
      assert.equal(told.length, 2);
    });

    it('says of a chat that is not there that it is not found', async () => {
      for (const call of [
        () => store.getPath('none', 'x'),
        () => store.listBranches('none'),
        () => store.getActiveBranch('none'),
        () => store.listCheckpoints('none'),
        () => store.getGraph('none'),
        () => store.searchMessages('none', 'x'),
        () => store.listEvents('none'),
        () => save(['a'], { chatId: 'none' }),
        () => store.activateBranch('none', 'main'),
        () => store.setCheckpoint('none', 'c', 'x'),
        () => store.logEvent({ chatId: 'none', kind: 'rewind-report' }),
      ]) {
        await assert.rejects(call, { code: 'chat-not-found', message: 'Chat "none" not found' });
      }
    });

    it('refuses every call once it is closed', async () => {
      await started();
      await store.close();
      await assert.rejects(store.listChats(), { code: 'closed' });
      await assert.rejects(save(['a']), { code: 'closed' });
    });
  });
}
