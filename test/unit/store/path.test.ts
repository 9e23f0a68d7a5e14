import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DamagedDataError } from '../../../src/engine/errors.ts';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, MemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

const insert = `INSERT INTO messages (key, chatKey, id, parentKey, depth, name, type, data, effects, invocationId, replaces, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** A message below one before it of the same chat (as the share of those there are), or a root. */
const node = fc.record({
  chat: fc.constantFrom(1, 2),
  below: fc.option(
    fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
  ),
  gap: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.constant(3)),
  type: fc.oneof({ weight: 3, arbitrary: fc.constant('message') }, fc.constantFrom('fragment', 'internal')),
  effects: fc.option(fc.constant('{"state":{"a":1}}'), { freq: 3 }),
  replaces: fc.option(fc.constant('old "id"'), { freq: 3 }),
});

interface Written {
  readonly key: number;
  readonly chat: number;
  readonly id: string;
  readonly parent: Written | undefined;
  readonly depth: number;
}

describe('the path to a message', () => {
  const withStore = async (
    test: (connection: Connection, store: SqlContextStore) => Promise<void>,
  ): Promise<void> => {
    const connection = new Connection(await loadSqlite(sqliteWasm));
    migrate(connection);
    for (const key of [1, 2]) {
      connection.transact((transaction) =>
        transaction.run(
          "INSERT INTO chats (key, id, userId, metadata, createdAt, updatedAt) VALUES (?, ?, 'ann', '{}', 0, 0)",
          [key, `chat-${key}`],
        ),
      );
    }
    const store = new SqlContextStore({
      open: () => Promise.resolve(new MemoryDatabase(connection)),
      blobs: new MemoryBlobStore(),
    });
    await test(connection, store);
    await store.close();
  };

  it('is the one by the parents, however branches and chats are mixed, whole and in part', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 40 }), (nodes) =>
        withStore(async (connection, store) => {
          const all: Written[] = [];
          connection.transact((transaction) => {
            for (const { chat, below, gap, type, effects, replaces } of nodes) {
              const mine = all.filter((each) => each.chat === chat);
              const parent = below === null ? undefined : mine[Math.ceil(below * mine.length) - 1];
              const key = (all.at(-1)?.key ?? 0) + gap;
              const [id, depth] = [`m-${key}`, (parent?.depth ?? 0) + 1];
              all.push({ key, chat, id, parent, depth });
              const data = JSON.stringify({ id, role: 'user', parts: [] });
              transaction.run(insert, [
                ...[key, chat, id, parent?.key ?? null, depth, 'user', type, data],
                ...[effects, parent?.id ?? id, replaces, key],
              ]);
            }
          });
          for (const head of all) {
            const expected = [];
            for (let each: Written | undefined = head; each; each = each.parent) {
              expected.unshift(await store.getMessage(`chat-${head.chat}`, each.id));
            }
            const chat = `chat-${head.chat}`;
            assert.deepEqual(await store.getPath(chat, head.id), expected);
            for (const limit of [1, 2, head.depth]) {
              assert.deepEqual(await store.getPath(chat, head.id, { limit }), expected.slice(-limit));
            }
            const [root] = expected;
            assert.deepEqual(await store.getPathAfter(chat, root?.id ?? '', head.id), expected.slice(1));
          }
        }),
      ),
      { numRuns: 40 },
    );
  });

  it('is whole, however many messages are read at once and however large some are', () =>
    withStore(async (connection, store) => {
      const textOf = (key: number): string =>
        key % 150 === 0 ? 'é'.repeat(40_000) : 'x'.repeat((key % 7) * 300);
      connection.transact((transaction) => {
        for (let key = 1; key <= 600; key++) {
          const [id, parent] = [`m-${key}`, key === 1 ? null : key - 1];
          const data = JSON.stringify({ id, role: 'user', parts: [{ type: 'text', text: textOf(key) }] });
          transaction.run(insert, [
            ...[key, 1, id, parent, key, 'user', 'message', data],
            ...[null, `m-${key - (key % 2)}`, null, key],
          ]);
        }
      });
      const expected = [];
      for (let key = 1; key <= 600; key++) expected.push(await store.getMessage('chat-1', `m-${key}`));
      assert.deepEqual(await store.getPath('chat-1', 'm-600'), expected);
      assert.deepEqual(await store.getPathAfter('chat-1', 'm-140', 'm-460'), expected.slice(140, 460));
    }));

  for (const [what, damage] of [
    ['a message is missing', 'DELETE FROM messages WHERE key = 5'],
    ['its root is missing', 'DELETE FROM messages WHERE key = 1'],
    ['a message has another depth', 'UPDATE messages SET depth = 50 WHERE key = 5'],
    ['its root has another depth', 'UPDATE messages SET depth = 2 WHERE key = 1'],
    ['its messages lead in a circle', 'UPDATE messages SET parentKey = 9 WHERE key = 4'],
    [
      'its messages lead in a circle of falling depth',
      'UPDATE messages SET parentKey = 9, depth = 10 WHERE key = 4',
    ],
    ['a message leads past others', 'UPDATE messages SET parentKey = 2 WHERE key = 5'],
    ['what a message says is no JSON', "UPDATE messages SET data = '{' WHERE key = 5"],
    ['a message is of no known type', "UPDATE messages SET type = 'x' WHERE key = 5"],
    ['the effects of a message are no JSON', "UPDATE messages SET effects = '{' WHERE key = 5"],
    ['the effects of a message are bytes', "UPDATE messages SET effects = x'00ff' WHERE key = 5"],
  ] as const) {
    it(`is reported as damaged when ${what}`, () =>
      withStore(async (connection, store) => {
        connection.transact((transaction) => {
          for (let key = 1; key <= 9; key++) {
            const parent = key === 1 ? null : key - 1;
            transaction.run(insert, [
              key,
              1,
              `m-${key}`,
              parent,
              key,
              'user',
              'message',
              '"x"',
              null,
              'i',
              null,
              0,
            ]);
          }
        });
        assert.equal((await store.getPath('chat-1', 'm-9')).length, 9);
        connection.execute(`PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; ${damage}`);
        await assert.rejects(store.getPath('chat-1', 'm-9'), DamagedDataError);
      }));
  }
});
