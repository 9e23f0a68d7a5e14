import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import {
  searchChats,
  MARKS,
  readSnippet,
  type SearchAnswer,
  type SearchQuery,
} from '../../../src/extension/tree/chatSearch.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const USER = 'ann';

describe('a snippet of what was found', () => {
  const [start, end] = MARKS;
  const hitsOf = (marked: string): string[] => {
    const { text, hits } = readSnippet(marked);
    return hits.map(([from, to]) => text.slice(from, to));
  };

  it('is one line, and tells where the hits are', () => {
    const { text, hits } = readSnippet(`a\n  ${start}closure${end} and\tanother ${start}Closure${end}.`);
    assert.equal(text, 'a closure and another Closure.');
    assert.deepEqual(hits, [
      [2, 9],
      [22, 29],
    ]);
  });

  it('begins near the first hit, so that a narrow view shows it', () => {
    const marked = `many words stand here before the ${start}hit${end} comes`;
    const { text } = readSnippet(marked);
    assert.equal(text, '…before the hit comes');
    assert.deepEqual(hitsOf(marked), ['hit']);
    assert.deepEqual(hitsOf(`${'x'.repeat(90)}${start}hit${end}`), ['hit']);
  });

  it('leaves out where a block of code begins and ends, and the sign of a heading', () => {
    const marked = `run \`\`\`sh\nnpm ${start}test${end}\n\`\`\`\nthen`;
    assert.equal(readSnippet(marked).text, 'run npm test then');
    assert.equal(readSnippet(`## About ${start}tests${end}`).text, 'About tests');
    assert.deepEqual(hitsOf(marked), ['test']);
  });

  it('keeps every hit where it is, whatever stands around it', () => {
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 8 }), (pairs) => {
        const clean = pairs.map(([before, hit]) => [one(before), one(hit)] as const);
        const marked = clean.map(([before, hit]) => `${before} ${start}${hit}${end}`).join(' ');
        assert.deepEqual(
          hitsOf(marked),
          clean.map(([, hit]) => hit),
        );
      }),
    );
  });

  const one = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
});

describe('a search through all chats', () => {
  let store: SqlContextStore;

  beforeEach(async () => {
    store = memoryStore();
    await talk('bread', ['How do I bake rye bread?', 'Rye wants time.'], ['And wheat?', 'Wheat is quick.']);
    await talk('games', ['A game about rye fields', 'A rye, rye game.']);
  });
  afterEach(() => store.close());

  const talk = async (chatId: string, ...turns: (readonly [string, string])[]): Promise<void> => {
    const engine = new ContextEngine({ store, chatId, userId: USER });
    await engine.updateChat({ title: chatId });
    for (const [at, [question, reply]] of turns.entries()) {
      engine.set(user(question, { id: `${chatId}-q${at}` }), assistant(reply, { id: `${chatId}-a${at}` }));
      await engine.save();
    }
    await engine.close();
  };
  const search = (query: Partial<SearchQuery>): Promise<SearchAnswer> =>
    searchChats(store, USER, { words: 'rye', roles: 'all', limit: 50, ...query });
  const outline = ({ chats }: SearchAnswer): string[] =>
    chats.flatMap(({ chat, count, branches }) => [
      `${chat.id} ${count}`,
      ...branches.flatMap(({ branch, messages }) => [
        `  ${branch?.name ?? 'no branch'}`,
        ...messages.map(({ message }) => `    ${message.id}`),
      ]),
    ]);

  it('finds by chat and branch, the messages of a branch as they were said', async () => {
    const engine = new ContextEngine({ store, chatId: 'bread', userId: USER });
    await engine.rewind('bread-q0');
    engine.set(assistant('Ask the rye.', { id: 'bread-other' }));
    await engine.save();
    await engine.close();
    const lines = outline(await search({}));
    // What is said of it more often, on two branches, comes first.
    assert.deepEqual(lines.slice(-4), ['games 2', '  main', '    games-q0', '    games-a0']);
    assert.equal(lines[0], 'bread 3');
    assert.deepEqual(lines.slice(1, -4).sort(), [
      '    bread-a0',
      '    bread-other',
      '    bread-q0',
      '  main',
      '  main-v2',
    ]);
  });

  it('looks through questions or answers alone', async () => {
    const found = async (roles: SearchQuery['roles']) =>
      outline(await search({ roles })).filter((line) => line.startsWith('    '));
    assert.deepEqual((await found('questions')).sort(), ['    bread-q0', '    games-q0']);
    assert.deepEqual((await found('answers')).sort(), ['    bread-a0', '    games-a0']);
  });

  it('says that there is more, and gives it', async () => {
    const first = await search({ limit: 3 });
    assert.deepEqual([first.count, first.hasMore], [3, true]);
    const all = await search({ limit: 4 });
    assert.deepEqual([all.count, all.hasMore], [4, false]);
  });

  it('leaves out what is in the trash, and shows on no branch what only a checkpoint leads to', async () => {
    const engine = new ContextEngine({ store, chatId: 'bread', userId: USER });
    await engine.checkpoint('mark', { messageId: 'bread-a0' });
    await engine.rewindBefore('bread-q0');
    await engine.close();
    await store.deleteBranch('bread', 'main');
    await store.deleteChat('games');
    assert.deepEqual(outline(await search({})), ['bread 2', '  no branch', '    bread-q0', '    bread-a0']);
  });
});
