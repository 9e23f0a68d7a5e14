// What the engine costs, each figure compared with the least SQLite needs for the same result, in the same run.
//   npm run bench
import { user } from '../src/engine/fragments/index.ts';
import { median, middle, ratio, report } from './measure.ts';
import { emptyPlace, engineOf, fill, text, type Place } from './place.ts';

async function saveOne(place: Place): Promise<number> {
  const engine = engineOf(place, 'measured');
  await engine.set(user(text)).save();
  return median(200, () => engine.set(user(text)).save());
}

async function saves(): Promise<void> {
  const small = await emptyPlace();
  await fill(small, 100);
  const large = await emptyPlace();
  for (let chat = 0; chat < 10; chat++) await fill(large, 10_000, `chat-${chat}`);
  await saveOne(small);
  report(
    'one save at 100,000 messages against one at 100',
    (await saveOne(large)) / (await saveOne(small)),
    1.3,
    '×',
  );

  const place = await emptyPlace();
  const bare = await emptyPlace();
  bare.connection.execute(
    "INSERT INTO chats (key, id, userId, metadata, createdAt, updatedAt) VALUES (1, 'c', 'u', '{}', 0, 0)",
  );
  const data = JSON.stringify({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] });
  let key = 0;
  let invocation = '';
  const bareInserts = (): void => {
    bare.connection.transact((transaction) => {
      for (let index = 0; index < 10_000; index++) {
        key += 1;
        if (key % 2 === 1) invocation = crypto.randomUUID();
        transaction.run(
          'INSERT INTO messages (key, chatKey, id, parentKey, depth, name, type, data, invocationId, createdAt) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, 0)',
          [key, crypto.randomUUID(), key === 1 ? null : key - 1, key, 'user', 'message', data, invocation],
        );
        transaction.run('INSERT INTO messageTexts (docid, text) VALUES (?, ?)', [key, text]);
      }
    });
  };
  let chat = 0;
  const oneSave = await ratio(5, bareInserts, () => fill(place, 10_000, `chat-${chat++}`));
  report('10,000 messages in one save against bare inserts', oneSave, 2, '×');
  const start = performance.now();
  const hundred = await emptyPlace();
  await fill(hundred, 100_000);
  console.log(`        100,000 messages in one save: ${(performance.now() - start).toFixed(0)} ms`);
  report(
    'deleteChat of 100,000 messages',
    await median(1, () => hundred.store.deleteChat('chat')),
    100,
    'ms',
  );
  const emptying = performance.now();
  await hundred.store.trash.empty();
  console.log(`        emptying the trash of it, in pieces: ${(performance.now() - emptying).toFixed(0)} ms`);
  const branchy = await emptyPlace();
  const long = await fill(branchy, 100_000);
  await long.rewindBefore((await branchy.store.getGraph('chat')).nodes[0]?.id ?? '');
  const deleting = await median(1, () => branchy.store.deleteBranch('chat', 'main'));
  report('deleteBranch of 100,000 messages', deleting, 2_000, 'ms');
  const [trashed] = await branchy.store.trash.list();
  report(
    'bringing them back',
    await median(1, () => branchy.store.trash.restore(trashed?.id ?? '')),
    2_000,
    'ms',
  );
}

async function reads(): Promise<void> {
  const long = await emptyPlace();
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

  const place = await emptyPlace();
  await fill(place, 10_000);
  const plainQuery = (): unknown => {
    const rows = place.connection.all(
      `WITH RECURSIVE chain(key, parentKey) AS (
         SELECT key, parentKey FROM messages WHERE key = (SELECT max(key) FROM messages)
         UNION ALL SELECT m.key, m.parentKey FROM chain c JOIN messages m ON m.key = c.parentKey)
       SELECT m.id, m.name, m.data FROM chain c JOIN messages m ON m.key = c.key ORDER BY m.depth`,
    );
    return rows.map((row) => JSON.parse(String(row['data'])) as unknown);
  };
  const firstResolve = await ratio(9, plainQuery, () => engineOf(place).resolve());
  report('first resolve of 10,000 against the plain query and parse', firstResolve, 1.5, '×');
}

async function branches(): Promise<void> {
  const place = await emptyPlace();
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
