// Whether what was said is found by a question in other words, and how quickly, in conversations made from templates.
//   npm run bench:recall                              on a file
//   npm run bench:recall -- postgres                  on a PostgreSQL server
//   OFFSHOOT_BENCH_CHATS=1000 npm run bench:recall -- postgres   among a million messages there
import pg from 'pg';
import type { PortableChat } from '../src/engine/portableChat.ts';
import type { ContextStore } from '../src/engine/store.ts';
import { PostgresContextStore } from '../src/store/postgres/postgresContextStore.ts';
import { setUp } from '../src/store/postgres/setUp.ts';
import { SqlContextStore } from '../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, openMemoryDatabase } from '../src/store/sqlite/inMemory.ts';
import { startPostgres } from '../test/fixtures/postgres/server.ts';
import { sqliteWasm } from '../test/fixtures/wasm.ts';
import { least, report, reportShare } from './measure.ts';
import { fillWith } from './postgres/fill.ts';
import { plantedFacts, type PlantedChat } from './recall/plantedFacts.ts';

const CHATS = Number(process.env['OFFSHOOT_BENCH_CHATS'] ?? 100);
const PER_CHAT = 1_000;
/** Questions asked, of all chats alike. */
const ASKED = 300;
/** The quickest run of each question counts: the rest is what else the machine does. */
const RUNS = 3;
/** Chats put in at once. */
const BATCH = 20;

if (process.argv.includes('postgres')) {
  const server = await startPostgres({ settings: { shared_buffers: `'512MB'`, max_wal_size: `'4GB'` } });
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await setUp(client);
  const store = new PostgresContextStore({ connectionString: server.url('postgres') });
  try {
    await measure('PostgreSQL', store, 100, (chats) => fillWith(client, server.room, chats));
  } finally {
    await store.close();
    await client.end();
    await server.stop();
  }
} else {
  const store = new SqlContextStore({
    open: () => openMemoryDatabase(sqliteWasm),
    blobs: new MemoryBlobStore(),
  });
  await measure('file', store, 50, async (chats) => {
    for (let at = 0; at < chats.length; at += BATCH)
      await store.importChats('ann', chats.slice(at, at + BATCH).map(portable));
  });
  await store.close();
}

/** @param limit of the slow searches, in milliseconds */
async function measure(
  place: string,
  store: ContextStore,
  limit: number,
  fill: (chats: readonly PlantedChat[]) => Promise<void>,
): Promise<void> {
  const { chats, questions } = plantedFacts(CHATS, PER_CHAT);
  await fill(chats);
  console.log(`        ${place}: ${CHATS * PER_CHAT} messages in ${CHATS} chats`);
  const every = Math.max(1, Math.floor(questions.length / ASKED));
  const asked = questions.filter((_, index) => index % every === 0);
  const times: number[] = [];
  const ranks: { readonly message: number; readonly chat: number }[] = [];
  await store.searchAllMessages('a first search loads the stemmers', { userId: 'ann' });
  for (const { text, answers } of asked) {
    const search = () => store.searchAllMessages(text, { userId: 'ann', limit: 10 });
    const found = await search();
    times.push(await least(RUNS, search));
    const chatsOf = new Set(Array.from(answers, (id) => id.split('/')[0]));
    ranks.push({
      message: found.findIndex(({ message }) => answers.has(message.id)),
      chat: found.findIndex(({ message }) => chatsOf.has(message.chatId)),
    });
  }
  const share = (kind: 'message' | 'chat', first: number): number =>
    (100 * ranks.filter((each) => each[kind] >= 0 && each[kind] < first).length) / ranks.length;
  reportShare(`${place}: the message among the first 5`, share('message', 5), 70);
  reportShare(`${place}: the message among the first 10`, share('message', 10), 80);
  reportShare(`${place}: the conversation among the first 5`, share('chat', 5), 92);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
  report(`${place}: 95 of 100 searches`, at(0.95), limit, 'ms', `half of them ${at(0.5).toFixed(1)} ms`);
}

/** Questions and answers, one after the other. */
function portable({ id: chat, messages }: PlantedChat): PortableChat {
  const idOf = (index: number): string => `${chat}/${index}`;
  const main = { name: 'main', forkMessageId: null, isActive: true, createdAt: 1 };
  return {
    id: chat,
    metadata: {},
    createdAt: 1,
    updatedAt: 1,
    messages: messages.map((text, index): PortableChat['messages'][number] => {
      const [id, name] = [idOf(index), index % 2 === 0 ? 'user' : 'assistant'];
      return {
        id,
        parentId: index === 0 ? null : idOf(index - 1),
        name,
        type: 'message',
        data: { id, role: name, parts: [{ type: 'text', text }] },
        invocationId: idOf(index - (index % 2)),
        createdAt: 1_750_000_000_000 + index,
      };
    }),
    branches: [{ ...main, headMessageId: idOf(messages.length - 1) }],
    checkpoints: [],
    events: [],
  };
}
