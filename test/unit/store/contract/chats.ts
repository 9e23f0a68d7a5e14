import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import type { ChatData } from '../../../../src/engine/graph.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { idsOf, namesOf, storeActions, type OpenStore } from './actions.ts';

/** How every store keeps chats, what it says of them in lists, and how they are changed. @param open makes an empty one */
export function specifyChats(place: string, open: OpenStore): void {
  describe(`the chats of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const { started, save } = storeActions(() => store);
    const engine = (chatId = 'chat'): ContextEngine => new ContextEngine({ store, chatId, userId: 'ann' });

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

    it('begin again under the id of one that was deleted', async () => {
      await started();
      await save(['m']);
      await store.deleteChat('chat');
      await started();
      assert.deepEqual(await store.searchMessages('chat', 'says'), []);
      assert.deepEqual(namesOf(await store.listBranches('chat')), ['main']);
      assert.equal((await store.listEvents('chat')).length, 1);
      assert.equal((await save(['m'])).branch.headMessageId, 'm');
    });

    describe('in a list', () => {
      const details = async () =>
        (await store.listChats()).map(({ id, messageCount, branchCount, lastMessage }) => [
          id,
          messageCount,
          branchCount,
          lastMessage && `${lastMessage.role}: ${lastMessage.text}`,
        ]);

      it('say how much they hold and how they end', async () => {
        await store.createChat({ id: 'empty', userId: 'ann' });
        const context = engine();
        await context.set(user('one', { id: 'q1' }), assistant('two')).save();
        assert.deepEqual(await details(), [
          ['chat', 2, 1, 'assistant: two'],
          ['empty', 0, 1, undefined],
        ]);
        const [chat] = await store.listChats({ limit: 1 });
        assert.deepEqual(
          [chat?.lastMessage?.createdAt, chat?.messageCount],
          [(await store.getPath('chat', context.headMessageId ?? '')).at(-1)?.createdAt, 2],
        );
      });

      it('count each message of all branches once, and show how the active one ends', async () => {
        const context = engine();
        await context.set(user('one', { id: 'q1' }), assistant('wrong')).save();
        await context.rewind('q1');
        await context.set(assistant('right')).save();
        assert.deepEqual(await details(), [['chat', 3, 2, 'assistant: right']]);
        await context.switchBranch('main');
        assert.deepEqual(await details(), [['chat', 3, 2, 'assistant: wrong']]);
        await store.archiveBranch('chat', 'main-v2');
        assert.deepEqual(await details(), [['chat', 3, 1, 'assistant: wrong']]);
      });

      it('pass over nodes that nobody reads', async () => {
        const context = engine();
        await context.set(user('one')).save();
        context.state.set('key', 'value');
        await context.save();
        assert.equal((await store.getGraph('chat')).nodes.length, 2);
        assert.deepEqual(await details(), [['chat', 1, 1, 'user: one']]);
      });

      it('leave out what is in the trash', async () => {
        const context = engine();
        await context.set(user('one', { id: 'q1' }), assistant('wrong')).save();
        await context.rewind('q1');
        await store.deleteBranch('chat', 'main');
        assert.deepEqual(await details(), [['chat', 1, 1, 'user: one']]);
        await store.deleteChat('chat');
        assert.deepEqual(await details(), []);
      });

      it('show 200 characters at most, on one line, none of them halved', async () => {
        const texts = [
          '  several\n\n lines\t of text ',
          'x'.repeat(200),
          'x'.repeat(201),
          `${'x'.repeat(198)}${'🌲'.repeat(2)}`,
          ' '.repeat(5_000),
          '',
        ];
        const seen: string[] = [];
        for (const [index, text] of texts.entries()) {
          await engine(`chat ${index}`).set(user(text)).save();
          const [chat] = await store.listChats({ limit: 1 });
          seen.push(chat?.lastMessage?.text ?? 'none');
        }
        assert.deepEqual(seen, [
          'several lines of text',
          'x'.repeat(200),
          `${'x'.repeat(199)}…`,
          `${'x'.repeat(198)}…`,
          '…',
          '',
        ]);
      });

      it('are the chats alone when details are not wanted', async () => {
        await engine().set(user('one')).save();
        assert.deepEqual(await store.listChats({ details: false }), [await store.getChat('chat')]);
      });

      it('are read in two looks, however many there are', async () => {
        for (let index = 0; index < 50; index++)
          await engine(`chat ${index}`)
            .set(user(`says ${index}`))
            .save();
        const chats = await store.listChats({ offset: 10, limit: 20 });
        assert.equal(chats.length, 20);
        for (const { id, messageCount, lastMessage } of chats) {
          assert.deepEqual([messageCount, lastMessage?.text], [1, id.replace('chat', 'says')]);
        }
      });
    });

    describe('changed by a function', () => {
      const add = ({ metadata }: ChatData) => ({ metadata: { count: Number(metadata['count'] ?? 0) + 1 } });

      it('are given as they are in that moment, so that no change is lost', async () => {
        await store.createChat({ id: 'chat', userId: 'ann', metadata: { other: true } });
        const [one, other] = [engine(), engine()];
        await Promise.all(
          Array.from({ length: 20 }, (_, index) => [
            store.updateChat('chat', add),
            (index % 2 === 0 ? one : other).updateChat(add),
          ]).flat(),
        );
        assert.deepEqual((await store.getChat('chat'))?.metadata, { other: true, count: 40 });
      });

      it('change nothing when it throws, gives nothing, or gives what cannot be kept', async () => {
        const before = await store.createChat({ id: 'chat', userId: 'ann', title: 'T' });
        const heard: unknown[] = [];
        store.onDidChange((change) => heard.push(change));
        const cause = new Error('mine');
        await assert.rejects(
          store.updateChat('chat', () => {
            throw cause;
          }),
          cause,
        );
        assert.deepEqual(await store.updateChat('chat', () => undefined), before);
        const promised = (() => Promise.resolve({ title: 'U' })) as unknown as () => { title: string };
        await assert.rejects(store.updateChat('chat', promised), { code: 'not-storable' });
        const unstorable = (() => ({ metadata: { at: Number.NaN } })) as unknown as () => { title: string };
        await assert.rejects(store.updateChat('chat', unstorable), { code: 'not-storable' });
        await assert.rejects(store.updateChat('none', add), { code: 'chat-not-found' });
        assert.deepEqual([await store.getChat('chat'), heard], [before, []]);
      });

      it('cannot be changed behind the back of the store', async () => {
        await store.createChat({ id: 'chat', userId: 'ann', metadata: { list: [1] } });
        const changed = await store.updateChat('chat', ({ metadata, title }) => {
          (metadata['list'] as number[]).push(2);
          return { title: `${title ?? 'no title'}, now one` };
        });
        assert.deepEqual([changed.title, changed.metadata], ['no title, now one', { list: [1] }]);
      });
    });
  });
}
