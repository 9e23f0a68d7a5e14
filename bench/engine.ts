// What the engine costs, each figure beside the least SQLite would need for the same result, measured in the same run.
//   npm run bench
import { ContextEngine } from '../src/engine/contextEngine.ts';
import { assistant, user } from '../src/engine/fragments/index.ts';
import { Connection, loadSqlite } from '../src/store/connection.ts';
import { SqlContextStore } from '../src/store/contextStore.ts';
import { MemoryBlobStore } from '../src/store/memoryBlobs.ts';
import { MemoryDatabase } from '../src/store/memoryDatabase.ts';
import { migrate } from '../src/store/schema.ts';
import { sqliteWasm } from '../test/fixtures/wasm.ts';

const text = 'Some words of a message, about as long as what people type into a chat. '.repeat(3);

interface Fixture {
  readonly connection: Connection;
  readonly store: SqlContextStore;
}

async function fixture(): Promise<Fixture> {
  const connection = new Connection(await loadSqlite(sqliteWasm));
  migrate(connection);
  const open = (): Promise<MemoryDatabase> => Promise.resolve(new MemoryDatabase(connection));
  return { connection, store: new SqlContextStore({ open, blobs: new MemoryBlobStore() }) };
}

const engineOf = ({ store }: Fixture, chatId = 'chat'): ContextEngine =>
  new ContextEngine({ store, chatId, userId: 'ann' });

async function fill(place: Fixture, count: number, chatId = 'chat'): Promise<ContextEngine> {
  const engine = engineOf(place, chatId);
  for (let index = 0; index < count; index++) engine.set(index % 2 === 0 ? user(text) : assistant(text));
  await engine.save();
  return engine;
}

/** Milliseconds of one run: the median of several. */
async function median(runs: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return middle(times);
}

function report(what: string, measured: number, limit: number, unit: 'ms' | '×'): void {
  const verdict = measured <= limit ? 'ok' : 'MISSED';
  console.log(`${verdict.padEnd(7)} ${what}: ${measured.toFixed(2)} ${unit} (at most ${limit} ${unit})`);
}

async function saveOne(place: Fixture): Promise<number> {
  const engine = engineOf(place, 'measured');
  await engine.set(user(text)).save();
  return median(200, () => engine.set(user(text)).save());
}

async function saves(): Promise<void> {
  const small = await fixture();
  await fill(small, 100);
  const large = await fixture();
  for (let chat = 0; chat < 10; chat++) await fill(large, 10_000, `chat-${chat}`);
  await saveOne(small);
  report(
    'one save at 100,000 messages against one at 100',
    (await saveOne(large)) / (await saveOne(small)),
    1.3,
    '×',
  );

  const place = await fixture();
  const bare = await fixture();
  bare.connection.execute("INSERT INTO chats VALUES (1, 'c', 'u', NULL, '{}', 0, 0)");
  const data = JSON.stringify({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] });
  let key = 0;
  const baseline = await median(3, () => {
    bare.connection.transact((transaction) => {
      for (let index = 0; index < 10_000; index++) {
        key += 1;
        transaction.run(
          'INSERT INTO messages (key, chatKey, id, parentKey, depth, name, type, data, invocationId, createdAt) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, 0)',
          [key, crypto.randomUUID(), key === 1 ? null : key - 1, key, 'user', 'message', data, 'i'],
        );
        transaction.run('INSERT INTO messageTexts (docid, text) VALUES (?, ?)', [key, text]);
      }
    });
  });
  let chat = 0;
  const measured = await median(3, () => fill(place, 10_000, `chat-${chat++}`));
  report('10,000 messages in one save against bare inserts', measured / baseline, 2, '×');
  const start = performance.now();
  const hundred = await fixture();
  await fill(hundred, 100_000);
  console.log(`        100,000 messages in one save: ${(performance.now() - start).toFixed(0)} ms`);
  report(
    'deleteChat of 100,000 messages',
    await median(1, () => hundred.store.deleteChat('chat')),
    2_000,
    'ms',
  );
}

async function reads(): Promise<void> {
  const long = await fixture();
  const engine = await fill(long, 50_000);
  await engine.resolve();
  const other = engineOf(long);
  await other.resolve();
  const spent: number[] = [];
  for (let run = 0; run < 50; run++) {
    await other.set(user(text)).save();
    spent.push(await median(1, () => engine.resolve()));
  }
  report('resolve after one more message on a path of 50,000', middle(spent), 2, 'ms');

  const place = await fixture();
  await fill(place, 10_000);
  const baseline = await median(5, () => {
    const rows = place.connection.all(
      `WITH RECURSIVE chain(key, parentKey) AS (
         SELECT key, parentKey FROM messages WHERE key = (SELECT max(key) FROM messages)
         UNION ALL SELECT m.key, m.parentKey FROM chain c JOIN messages m ON m.key = c.parentKey)
       SELECT m.id, m.name, m.data FROM chain c JOIN messages m ON m.key = c.key ORDER BY m.depth`,
    );
    return rows.map((row) => JSON.parse(String(row['data'])) as unknown);
  });
  const measured = await median(5, () => engineOf(place).resolve());
  report('first resolve of 10,000 against the plain query and parse', measured / baseline, 1.5, '×');
}

function middle(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

async function branches(): Promise<void> {
  const place = await fixture();
  const engine = await fill(place, 10_000);
  const ids = (await engine.resolve()).messages.map(({ id }) => id);
  for (let index = 0; index < 1_000; index++) await engine.rewind(ids[index * 9] ?? '');
  await engine.switchBranch('main');
  report(
    'rewind with 10,000 messages and 1,000 branches',
    await median(20, () => engine.rewind(ids[5_000] ?? '')),
    5,
    'ms',
  );
  report('btw', await median(20, () => engine.btw()), 5, 'ms');
  report('listBranches', await median(20, () => place.store.listBranches('chat')), 5, 'ms');
  let to = 0;
  report(
    'switchBranch',
    await median(20, () => engine.switchBranch(to++ % 2 === 0 ? 'main' : 'main-v2')),
    5,
    'ms',
  );
}

await saves();
await reads();
await branches();
