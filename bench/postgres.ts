// What a store on a PostgreSQL server costs, each figure with its limit and, where there is one, a bare baseline of the
// same run: the same rows, or the same statements, with nothing of ours around them.
//   npm run bench:postgres                            all of it, with a million messages
//   npm run bench:postgres -- turns paths             some of it
//   OFFSHOOT_BENCH_CHATS=1000 npm run bench:postgres
//   OFFSHOOT_BENCH_LAYOUT=partitioned npm run bench:postgres
import { execFileSync } from 'node:child_process';
import { writeFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { ContextEngine } from '../src/engine/contextEngine.ts';
import { assistant, user } from '../src/engine/fragments/index.ts';
import type { PortableChat } from '../src/engine/portableChat.ts';
import type { NewMessage } from '../src/engine/store.ts';
import { PostgresContextStore } from '../src/store/postgres/postgresContextStore.ts';
import { setUp } from '../src/store/postgres/setUp.ts';
import { partitionSql } from '../test/fixtures/postgres/databases.ts';
import { ADMIN, startPostgres } from '../test/fixtures/postgres/server.ts';
import { checkSaved, startSavers } from '../test/fixtures/postgres/savers.ts';
import { checkWhole } from '../test/fixtures/postgres/wholeChat.ts';
import { median, ratio, report, tell } from './measure.ts';
import { fill } from './postgres/fill.ts';

const CHATS = Number(process.env['OFFSHOOT_BENCH_CHATS'] ?? 10_000);
const OPERATIONS = Number(process.env['OFFSHOOT_BENCH_OPERATIONS'] ?? 10_000);
const PER_CHAT = 100;
const isPartitioned = process.env['OFFSHOOT_BENCH_LAYOUT'] === 'partitioned';

const server = await startPostgres({ settings: { shared_buffers: `'512MB'`, max_wal_size: `'4GB'` } });
console.log(`        PostgreSQL ${server.version}, fsync on`);
const client = new pg.Client({ connectionString: server.url('postgres') });
await client.connect();
await setUp(client);
if (isPartitioned) await client.query(partitionSql());
const store = new PostgresContextStore({ connectionString: server.url('postgres') });
const parts: Readonly<Record<string, () => Promise<void>>> = {
  turns,
  paths,
  imports,
  many,
  conflicts,
  throughput,
  growth,
};
try {
  const [, , , ...wanted] = process.argv;
  for (const name of wanted)
    if (!(name in parts)) throw new Error(`There is no part "${name}" of this bench.`);
  for (const [name, run] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name)) await run();
} finally {
  await store.close();
  await client.end();
  await server.stop();
}

/** A question and its answer, saved by an engine that knows where it is, and the same rows by an INSERT in a transaction. */
async function turns(): Promise<void> {
  await client.query(`CREATE TABLE bare (chat bigint, key bigint, id text, parent bigint, name text, type text, data text,
    created_at bigint, words tsvector, PRIMARY KEY (chat, key))`);
  await client.query('CREATE INDEX ON bare USING gin (words)');
  await store.createChat({ id: 'turns', userId: 'ann' });
  let head: string | null = null;
  let key = 0;
  const text = 'a question of a few words that a user asks, and an answer of some more';
  const insert = `INSERT INTO bare SELECT 1, k, 'm' || k, k - 1, 'user', 'message', $2, 1, to_tsvector('simple', $2)
    FROM generate_series($1::int, $1::int + 1) k`;
  const bare = async (): Promise<void> => {
    await client.query('BEGIN');
    await client.query({ name: 'bare', text: insert, values: [(key += 2), text] });
    await client.query('COMMIT');
  };
  const message = (name: string): NewMessage => {
    const id = crypto.randomUUID();
    const data = { id, role: name, parts: [{ type: 'text', text }] };
    return {
      id,
      name,
      type: 'message',
      data,
      invocationId: undefined,
      replaces: undefined,
      effects: undefined,
    };
  };
  const save = async (): Promise<void> => {
    const saved = await store.saveMessages({
      chatId: 'turns',
      branch: 'main',
      expectedHead: head,
      onHeadConflict: 'error',
      activate: true,
      newBranchAt: undefined,
      messages: [message('user'), message('assistant')],
    });
    head = saved.branch.headMessageId;
  };
  const engine = new ContextEngine({ store, chatId: 'turns of an engine', userId: 'ann' });
  for (let warm = 0; warm < 20; warm++) await Promise.all([bare(), save()]);
  const [alone, ours] = [await median(100, bare), await median(100, save)];
  const whole = await median(60, () => engine.set(user(text), assistant(text)).save());
  tell('a turn is saved by an engine, which looks first where it is', whole, 'ms');
  report(
    'a turn is saved, compared with a bare INSERT in a transaction',
    await ratio(60, bare, save),
    2,
    '×',
    `${ours.toFixed(2)} and ${alone.toFixed(2)} ms`,
  );
}

async function paths(): Promise<void> {
  for (const length of [100, 10_000]) {
    const engine = new ContextEngine({ store, chatId: `path-${length}`, userId: 'ann' });
    for (let index = 0; index < length; index += 2)
      engine.set(user(`question ${index}`), assistant(`answer ${index}, of some words more`));
    await engine.save();
  }
  await client.query('VACUUM ANALYZE');
  const head = (await store.getBranch('path-10000', 'main'))?.headMessageId ?? '';
  await client.query(`CREATE TABLE bare_path AS SELECT m.depth, m.id, m.name, m.type, m.data, m.effects, m.artifacts, m.invocation_id, m.replaces, m.created_at
    FROM offshoot.messages m JOIN offshoot.chats c ON c.key = m.chat WHERE c.id = 'path-10000'`);
  await client.query('CREATE INDEX ON bare_path (depth)');
  await client.query('ANALYZE bare_path');
  const bare = async (): Promise<void> => {
    const { rows } = await client.query<{ data: string }>({
      name: 'path',
      text: 'SELECT * FROM bare_path ORDER BY depth',
    });
    for (const { data } of rows) JSON.parse(data);
  };
  const path = (): Promise<unknown> => store.getPath('path-10000', head);
  for (let warm = 0; warm < 3; warm++) await bare().then(path);
  const [alone, ours] = [await median(9, bare), await median(9, path)];
  report(
    'the first path of 10,000, compared with a bare query of the rows',
    await ratio(9, bare, path),
    2,
    '×',
    `${ours.toFixed(1)} and ${alone.toFixed(1)} ms`,
  );
  const following = async (length: number): Promise<() => Promise<unknown>> => {
    const chatId = `path-${length}`;
    const context = new ContextEngine({ store, chatId, userId: 'ann' });
    await context.set(user('one more')).save();
    const [last] = await store.getPath(chatId, context.headMessageId ?? '', { limit: 1 });
    return () => store.getPathAfter(chatId, last?.parentId ?? '', last?.id ?? '');
  };
  const [short, long] = [await following(100), await following(10_000)];
  const [brief, lengthy] = [await median(50, short), await median(50, long)];
  report(
    'the path after one message more, of 10,000 compared with one of 100',
    await ratio(50, short, long),
    1.5,
    '×',
    `${lengthy.toFixed(2)} and ${brief.toFixed(2)} ms`,
  );
  const { rows } = await client.query<{ rows: string }>('SELECT count(*) AS rows FROM offshoot.segments');
  console.log(`        ${rows[0]?.rows ?? ''} stretches hold these paths`);
}

/** The first import into a new database, of whose tables the planner knows nothing, compared with a COPY of the rows. */
async function imports(): Promise<void> {
  const times: number[] = [];
  for (const length of [10_000, 100_000]) {
    const database = `imported_${length}`;
    await client.query(`CREATE DATABASE ${database}`);
    const own = new pg.Client({ connectionString: server.url(database) });
    await own.connect();
    const into = new PostgresContextStore({ connectionString: server.url(database) });
    try {
      await setUp(own);
      if (isPartitioned) await own.query(partitionSql());
      await into.open();
      const chat = chain(length);
      const ours = await median(1, () => into.importChats('ann', [chat]));
      times.push(ours);
      const file = path.join(server.room, database);
      await own.query(`COPY (SELECT * FROM offshoot.messages) TO '${file}'`);
      await own.query('CREATE TABLE bare (LIKE offshoot.messages INCLUDING ALL)');
      const bare = await median(1, () => own.query(`COPY bare FROM '${file}'`));
      report(
        `the first import of ${length.toLocaleString('en')} messages, compared with a bare COPY of them`,
        ours / bare,
        5,
        '×',
        `${ours.toFixed(0)} and ${bare.toFixed(0)} ms`,
      );
    } finally {
      await into.close();
      await own.end();
    }
  }
  const [short = Number.NaN, long = Number.NaN] = times;
  report('ten times as many messages to import', long / short, 15, '×');
}

/** A chat of questions and answers, one after the other. */
function chain(length: number): PortableChat {
  const messages = Array.from({ length }, (_, at): PortableChat['messages'][number] => {
    const [id, name] = [`m${at}`, at % 2 === 0 ? 'user' : 'assistant'];
    const text = `Message ${at} speaks of ${(at * 7_919) % 4_093} and ${(at * 104_729) % 16_381}, and of some words more`;
    return {
      id,
      parentId: at === 0 ? null : `m${at - 1}`,
      name,
      type: 'message',
      data: { id, role: name, parts: [{ type: 'text', text }] },
      invocationId: `m${at - (at % 2)}`,
      createdAt: 1_750_000_000_000 + at,
    };
  });
  const main = {
    name: 'main',
    headMessageId: `m${length - 1}`,
    forkMessageId: null,
    isActive: true,
    createdAt: 1,
  };
  return {
    id: 'imported',
    metadata: {},
    createdAt: 1,
    updatedAt: 1,
    messages,
    branches: [main],
    checkpoints: [],
    events: [],
  };
}

async function many(): Promise<void> {
  const begun = performance.now();
  await fill(client, CHATS, PER_CHAT);
  console.log(
    `        ${CHATS * PER_CHAT} messages in ${CHATS} chats, put in in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
  report(
    'a page of 50 chats',
    await median(9, () => store.listChats({ userId: 'ann', limit: 50 })),
    20,
    'ms',
  );
  report('the branches of a chat', await median(9, () => store.listBranches('filled-77')), 20, 'ms');
  report('a path of 100', await median(9, () => store.getPath('filled-77', 'm100')), 20, 'ms');
  tell(
    'all chats, without details',
    await median(3, () => store.listChats({ userId: 'ann', details: false })),
    'ms',
  );
  report(
    'search: a word of 1 % of the messages',
    await median(5, () => store.searchAllMessages('thousandfold', { userId: 'ann' })),
    300,
    'ms',
  );
  report(
    'search: the same within one chat',
    await median(5, () => store.searchMessages('filled-77', 'thousandfold')),
    20,
    'ms',
  );
  tell(
    'search: a word of half of the messages, its newest 10,000 hits ranked',
    await median(3, () => store.searchAllMessages('often', { userId: 'ann' })),
    'ms',
  );
}

/** Eight processes on one chat. */
async function conflicts(): Promise<void> {
  await store.createChat({ id: 'chat', userId: 'ann' });
  const begun = performance.now();
  const { acknowledged, ended } = startSavers(server.url('postgres'), {
    processes: 8,
    count: OPERATIONS / 8,
    writers: 4,
  });
  await ended;
  const seconds = (performance.now() - begun) / 1000;
  await checkSaved(store, acknowledged, Math.ceil(OPERATIONS / 8 / 4) * 4 * 8);
  await checkWhole(client, 'chat');
  console.log(
    `ok      ${OPERATIONS} saves by 8 processes on one chat: none lost, no orphan, one order; ${(OPERATIONS / seconds).toFixed(0)} a second`,
  );
}

/** 200 engines in 8 processes, each in a chat of its own, compared with pgbench and the same statements. */
async function throughput(): Promise<void> {
  const { ended, acknowledged } = startSavers(server.url('postgres'), {
    processes: 8,
    count: 1_000,
    writers: 25,
    chats: 'own',
  });
  const took = await ended;
  const ours = acknowledged.length / (Math.max(...took) / 1000);
  const pgbench = path.join(server.binaries, 'pgbench');
  if (!existsSync(pgbench)) {
    console.log(
      `        200 engines in 8 processes: ${ours.toFixed(0)} saves a second; this server came without pgbench`,
    );
    return;
  }
  for (let index = 0; index < 200; index++) await store.createChat({ id: `pgbench-${index}`, userId: 'ann' });
  const script = path.join(server.folder, 'save.sql');
  const message = `{"id":":id","name":"user","type":"message","data":"{\\"id\\":\\":id\\",\\"role\\":\\"user\\",\\"parts\\":[{\\"type\\":\\"text\\",\\"text\\":\\"says :id and some words more\\"}]}","effects":null,"artifacts":null,"replaces":null,"words":"says and some words more","wordCount":6,"hashes":[],"invocationId":null,"count":1,"lastRead":0}`;
  const args = `{"chatId":"pgbench-:client_id","branch":"main","expectedHead":":prev","onHeadConflict":"fork","activate":false,"newBranchAt":null,"messages":[${message}],"readable":1,"hasArtifacts":false,"hasBlobs":false,"shared":null,"event":null}`;
  writeFileSync(
    script,
    [
      String.raw`\set id random(1, 9000000000000000000)`,
      // A variable within quotes is not replaced by pgbench; the text is put together by the server, from the same parts.
      `SELECT offshoot.perform(gen_random_uuid(), false, 'saveMessages', replace(replace(replace('${args
        .replaceAll(':client_id', '~c')
        .replaceAll(':prev', '~p')
        .replaceAll(':id', '~i')
        .replaceAll(
          /:(?=[a-z0-9])/g,
          ': ',
        )}', '~i', CAST(:id AS bigint)::text), '~p', CAST(:prev AS bigint)::text), '~c', CAST(:client_id AS bigint)::text)::json);`,
      String.raw`\set prev :id`,
    ].join('\n'),
  );
  // The first of each has no head; what it forks from is not there, so the heads are set before.
  await client.query(
    `SELECT offshoot.perform(gen_random_uuid(), false, 'saveMessages', replace(replace($1, '~i', '0'), '~c', n::text)::json) FROM generate_series(0, 199) n`,
    [args.replaceAll(':client_id', '~c').replaceAll('":prev"', 'null').replaceAll(':id', '~i')],
  );
  const options = ['-n', '-M', 'prepared', '-c', '200', '-j', '2', '-t', '40', '-D', 'prev=0', '-f', script];
  const said = execFileSync(pgbench, [...options, '-h', server.folder, '-U', ADMIN, 'postgres'], {
    encoding: 'utf8',
  });
  const bare = Number(/tps = ([\d.]+)/.exec(said)?.[1] ?? Number.NaN);
  const failed = /number of failed transactions: (\d+)/.exec(said)?.[1] ?? '0';
  report(
    'pgbench with the same statements, compared with 200 engines in 8 processes',
    bare / ours,
    1 / 0.7,
    '×',
    `${bare.toFixed(0)} and ${ours.toFixed(0)} saves a second${failed === '0' ? '' : `, ${failed} failed`}`,
  );
}

/** What is kept for those who missed something does not grow with what was said. */
async function growth(): Promise<void> {
  const { rows } = await client.query<{ kept: string; made: string }>(
    `SELECT count(*) AS kept, max(c.last_change) AS made FROM offshoot.changes s JOIN offshoot.chats c ON c.key = s.chat WHERE c.id = 'chat'`,
  );
  console.log(
    `        of ${rows[0]?.made ?? ''} changes of the busiest chat ${rows[0]?.kept ?? ''} are kept`,
  );
  for (const { name, bytes, rows: count } of await store.tableSizes()) {
    if (bytes > 1_000_000)
      console.log(`        ${name}: ${(bytes / 1_048_576).toFixed(1)} MB, ${count} rows`);
  }
}
