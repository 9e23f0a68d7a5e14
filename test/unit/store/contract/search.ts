import assert from 'node:assert/strict';
import type { ContextStore, NewMessage } from '../../../../src/engine/store.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { idsOf, message, storeActions, type OpenStore } from './actions.ts';

/** What every store finds. @param open makes an empty one */
export function specifySearch(place: string, open: OpenStore): void {
  describe(`the search of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save } = storeActions(() => store);

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

    it('takes a question as long as a user can paste', async () => {
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
  });
}
