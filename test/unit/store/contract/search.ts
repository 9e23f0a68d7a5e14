import assert from 'node:assert/strict';
import type { PortableChat } from '../../../../src/engine/portableChat.ts';
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
      assert.equal((await found('says b'))[0], 'b');
      assert.deepEqual(await found('"says b"'), ['b']);
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
        ['th said', ['2']],
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
        ['NEAR foo', ['1', '2']],
        ['text:foo', []],
        ['foo -bar', []],
        ['foo -"foo bar"', ['2']],
        ['-foo', []],
        ['"foo bar" said', ['1']],
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

    const table = [
      ['once', 'a cat in a text of many other words that speak of dogs and birds and fish and trees'],
      ['bought', 'I bought a rowing boat in Lisbon, and the neighbors came along'],
      ['families', 'Families with small children like the harbor'],
      ['painted', 'Last week she painted two sunrises'],
      ['haeuser', 'Die Häuser am Hafen sind gelb'],
      ['livres', 'Nous avons acheté trois livres anciens'],
      ['gatos', 'Los gatos duermen siempre en la cocina'],
      ['kniga', 'Вчера она читала интересную книгу о море'],
      ['han', '昨天我买了一本关于海洋的书'],
      ['kana', 'きのう海の写真を撮りました'],
      ['deploy', 'The deployment failed because of a missing certificate'],
      ['apart', 'A certificate of birth, and in another place something that was deployed'],
      ['elka', 'Ёлка стояла у окна'],
      ['nisos', 'ο καλος ανεμος'],
    ] as const;

    /** By a question: what is found first. */
    for (const [query, expected] of [
      ['When did I buy a boat?', 'bought'],
      ['which family has a child', 'families'],
      ['What does she paint?', 'painted'],
      ['Welches Haus ist gelb?', 'haeuser'],
      ['Quel livre ancien avons-nous ?', 'livres'],
      ['¿Dónde duerme el gato?', 'gatos'],
      ['Что она читает, какие книги?', 'kniga'],
      ['我买了什么书', 'han'],
      ['海の写真はどこ', 'kana'],
      ['certifcate', 'deploy'],
      ['hafne', 'haeuser'],
      ['ertificate', 'deploy'],
      ['ecrtificate', 'deploy'],
      ['интереную', 'kniga'],
      ['ёлкаа', 'elka'],
      ['ανμος', 'nisos'],
      ['сертificate', undefined],
      ['deployment certificate', 'deploy'],
      ['why did the deployments fail', 'deploy'],
      ['книга', 'kniga'],
      ['"of birth" certificate', 'apart'],
    ] as const) {
      it(`answers “${query}”`, async () => {
        await started();
        await save(table.map(([id, text]) => says(id, text)));
        assert.equal((await foundIn(query))[0], expected);
      });
    }

    it('finds words as they are while one types, and other forms and misspelled ones afterwards', async () => {
      await started();
      await save([says('1', 'a missing certificate'), says('2', 'a certificate')]);
      for (const [query, whole, typed] of [
        ['certifcate', ['2', '1'], []],
        ['certificates', ['2', '1'], []],
        ['certific', ['2', '1'], ['2', '1']],
        ['misisng certificate', ['1', '2'], ['2', '1']],
        ['missing certificate', ['1', '2'], ['1', '2']],
        ['"a missing" certificate', ['1'], ['1']],
        ['certificate -missing', ['2'], ['2']],
        ['zzyqxwv', [], []],
      ] as const) {
        assert.deepEqual(await foundIn(query), whole, query);
        assert.deepEqual(await foundIn(query, { isTyping: true }), typed, query);
      }
    });

    it('counts what stands around a message, the title, and words that are near each other', async () => {
      await started('chat');
      await started('other');
      await store.updateChat('other', { title: 'The harbor of Lisbon' });
      const far = 'and so on '.repeat(12);
      await save([
        says('1', `anchor ${far} chain`),
        says('2', `an anchor chain ${far}`),
        says('3', 'what about the rudder of the ship?'),
        says('4', 'it was made of oak'),
      ]);
      await save([says('1', 'ten boats of oak')], { chatId: 'other' });
      const first = async (query: string): Promise<string> => {
        const [hit] = await store.searchAllMessages(query);
        return `${hit?.message.chatId} ${hit?.message.id}`;
      };
      assert.equal(await first('anchor chain'), 'chat 2');
      assert.equal(await first('oak rudder'), 'chat 4');
      assert.equal(await first('oak lisbon'), 'other 1');
      assert.deepEqual(await foundIn('oak in:lisbon'), []);
    });

    it('counts when something was said, if the question names a time', async () => {
      const said = (id: string, year: number, month: number): PortableChat => ({
        id,
        metadata: {},
        createdAt: 1,
        updatedAt: 1,
        messages: [
          {
            id: '1',
            parentId: null,
            name: 'user',
            type: 'message',
            data: { id: '1', role: 'user', parts: [{ type: 'text', text: 'the ship has a new mast' }] },
            invocationId: '1',
            createdAt: new Date(year, month - 1, 20).getTime(),
          },
        ],
        branches: [{ name: 'main', headMessageId: '1', forkMessageId: null, isActive: true, createdAt: 1 }],
        checkpoints: [],
        events: [],
      });
      await store.importChats('ann', [said('may', 2025, 5), said('march', 2024, 3), said('july', 2025, 7)]);
      for (const [query, expected] of [
        ['Which mast did the ship get in May 2025?', 'may'],
        ['Which mast did the ship get in March?', 'march'],
        ['Which mast did the ship get in 2024?', 'march'],
        ['Welchen Mast bekam die Ship im Juli?', 'july'],
        ['2024年3月 ship mast', 'march'],
        ['Which mast did the ship get?', 'july'],
      ] as const) {
        const [first] = await store.searchAllMessages(query);
        assert.equal(first?.message.chatId, expected, query);
      }
    });

    it('limits a search by chat, author, file and time, also without words', async () => {
      await started('chat');
      await started('other');
      await store.updateChat('other', { title: 'Harbor 100%' });
      await save([says('1', 'oak in src/Ship.ts'), says('2', 'oak', 'assistant')]);
      await save([says('1', 'oak')], { chatId: 'other' });
      const found = async (query: string): Promise<string[]> =>
        (await store.searchAllMessages(query)).map(({ message: { chatId, id } }) => `${chatId} ${id}`).sort();
      for (const [query, expected] of [
        ['oak in:"harbor 100%"', ['other 1']],
        ['in:harbor', ['other 1']],
        ['oak by:assistant', ['chat 2']],
        ['by:me oak', ['chat 1', 'other 1']],
        ['file:ship.ts', ['chat 1']],
        ['oak file:%', []],
        ['oak before:2001-01-01', []],
        ['since:2001 oak', ['chat 1', 'chat 2', 'other 1']],
        ['oak in:', ['chat 1', 'chat 2', 'other 1']],
      ] as const) {
        assert.deepEqual(await found(query), expected, query);
      }
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
