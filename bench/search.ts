// What searching costs among 100,000 messages in 100 chats, each figure with its limit.
//   npm run bench:search
import { ContextEngine } from '../src/engine/contextEngine.ts';
import { assistant, user } from '../src/engine/fragments/index.ts';
import { SqlContextStore } from '../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, openMemoryDatabase } from '../src/store/sqlite/inMemory.ts';
import { sqliteWasm } from '../test/fixtures/wasm.ts';
import { median, report } from './measure.ts';

const CHATS = 100;
const MESSAGES_PER_CHAT = 1_000;

/** The same numbers each time. */
let seed = 1;
const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

/** Words as in a language: few that stand everywhere, many that are rare. */
const syllables = 'a be co di en fa go hi in ja ko lu ma no or pa qui ro sa te un va we xi yo ze'.split(' ');
const word = (): string =>
  Array.from(
    { length: 1 + Math.floor(random() * 4) },
    () => syllables[Math.floor(random() * syllables.length)],
  ).join('');
const vocabulary = Array.from({ length: 20_000 }, word);
const sentence = (): string =>
  Array.from(
    { length: 20 + Math.floor(random() * 60) },
    () => vocabulary[Math.floor(random() ** 3 * vocabulary.length)],
  ).join(' ');

const store = new SqlContextStore({
  open: () => openMemoryDatabase(sqliteWasm),
  blobs: new MemoryBlobStore(),
});
let count = 0;
for (let chat = 0; chat < CHATS; chat++) {
  const engine = new ContextEngine({ store, chatId: `chat-${chat}`, userId: 'ann' });
  for (let index = 0; index < MESSAGES_PER_CHAT; index++) {
    count += 1;
    const text = `the ${sentence()}${count % 100 === 0 ? ' thousandfold, isn’t it' : ''}${count % 1_000 === 0 ? ' seldom' : ''}`;
    engine.set(index % 2 === 0 ? user(text) : assistant(text));
  }
  await engine.save();
}
console.log(`        ${count} messages in ${CHATS} chats`);

const limits = [
  ['100 hits', 'seldom', 50],
  ['1,000 hits', 'thousandfold', 50],
  ['1,000 hits, a phrase', '"isn’t it"', 50],
  ['a beginning of three letters', 'tho', 300],
  ['a beginning of two letters', 'th', 300],
  ['a beginning of one letter', 't', 300],
  ['100,000 hits', 'the', 300],
  ['nothing', 'zzyqxwv', 50],
  ['two words', 'thousandfold seldom', 50],
  ['two words, one nowhere', 'thousandfold zzyqxwv', 50],
  ['three frequent words', `${vocabulary[0]} ${vocabulary[1]} the`, 300],
  ['100 KB of text', `${sentence()} `.repeat(400), 300],
] as const;
for (const [what, query, limit] of limits) {
  const all = await median(5, () => store.searchAllMessages(query, { userId: 'ann', isTyping: true }));
  report(`${what}, the best 50 of all chats, while one types`, all, limit, 'ms');
}
for (const query of ['zzyqxwv', 'thousandfild', 'thousandfold zzyqxwv']) {
  const all = await median(5, () => store.searchAllMessages(query, { userId: 'ann' }));
  report(`“${query}”, in a pause`, all, 50, 'ms');
}
const thousand = await median(5, () => store.searchAllMessages('thousandfold', { limit: 1_000 }));
report('1,000 hits, all of them with their snippets', thousand, 50, 'ms');
report(
  '1,000 hits, in one chat',
  await median(5, () => store.searchMessages('chat-7', 'thousandfold')),
  50,
  'ms',
);
const byRole = await median(5, () => store.searchAllMessages('the', { roles: ['assistant'] }));
report('100,000 hits, by role', byRole, 300, 'ms');
await store.close();
