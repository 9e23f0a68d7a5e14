import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DamagedDataError } from '../../../src/engine/errors.ts';
import { beginningOf, visibleText } from '../../../src/store/common/messageContent.ts';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, MemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

const insertChat =
  "INSERT INTO chats (key, id, userId, metadata, createdAt, updatedAt) VALUES (?, ?, 'ann', '{}', 0, 0)";
const insertMessage = `INSERT INTO messages (key, chatKey, id, parentKey, depth, name, type, data, invocationId, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertBranch = `INSERT INTO branches (key, id, chatKey, name, headKey, isActive, createdAt, archivedAt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('a line\nand another ', '🌲 "quoted" \\ ', 'word '.repeat(60), 'long \t'.repeat(2_000)),
);
const anyData = fc.oneof(
  { weight: 4, arbitrary: words.map((text) => ({ id: 'm', role: 'user', parts: [{ type: 'text', text }] })) },
  { weight: 1, arbitrary: words },
  { weight: 1, arbitrary: fc.constantFrom(null, 7, [], [1, [2]], {}, { id: 'm', role: 'user', parts: [0] }) },
);

/** A message below one before it of the same chat (as the share of those there are), or a root. */
const node = fc.record({
  chat: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.constant(2)),
  below: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  gap: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.constantFrom(2, 40)),
  type: fc.oneof({ weight: 3, arbitrary: fc.constant('message') }, fc.constantFrom('fragment', 'internal')),
  hasBranch: fc.boolean(),
  data: anyData,
});

describe('the picture of a chat', () => {
  const withStore = async (
    test: (connection: Connection, store: SqlContextStore) => Promise<void>,
  ): Promise<void> => {
    const connection = new Connection(await loadSqlite(sqliteWasm));
    migrate(connection);
    connection.transact((transaction) => {
      for (const key of [1, 2]) transaction.run(insertChat, [key, `chat-${key}`]);
    });
    const store = new SqlContextStore({
      open: () => Promise.resolve(new MemoryDatabase(connection)),
      blobs: new MemoryBlobStore(),
    });
    await test(connection, store);
    await store.close();
  };

  it('is that of its messages, branches and checkpoints, however chats are mixed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 60 }), (nodes) =>
        withStore(async (connection, store) => {
          const all: { readonly key: number; readonly chat: number; readonly depth: number }[] = [];
          connection.transact((transaction) => {
            for (const { chat, below, gap, type, hasBranch, data } of nodes) {
              const mine = all.filter((each) => each.chat === chat);
              const parent = below === null ? undefined : mine[Math.ceil(below * mine.length) - 1];
              const key = (all.at(-1)?.key ?? 0) + gap;
              const depth = (parent?.depth ?? 0) + 1;
              all.push({ key, chat, depth });
              const id = `m-"${key}"`;
              const content = [type, JSON.stringify(data), id, key];
              transaction.run(insertMessage, [key, chat, id, parent?.key ?? null, depth, 'user', ...content]);
              if (!hasBranch) continue;
              const archivedAt = key % 3 === 0 ? 1 : null;
              transaction.run(insertBranch, [key, id, chat, `on ${key}`, key, 0, 0, archivedAt]);
            }
            for (const chat of [1, 2]) {
              transaction.run(insertBranch, [10_000 + chat, `b${chat}`, chat, 'main', null, 1, 0, null]);
            }
          });
          for (const chatId of ['chat-1', 'chat-2']) {
            const chat = await store.exportChat(chatId);
            const head = chat.messages.at(-1);
            if (head) await store.setCheckpoint(chatId, 'here', head.id);
            const graph = await store.getGraph(chatId);
            const expected = chat.messages.map(({ id, parentId, name, type, data, createdAt }) => ({
              ...{ id, parentId, role: name },
              ...{ content: beginningOf(visibleText({ type, data })), createdAt },
            }));
            assert.deepEqual(graph.nodes, expected);
            const branches = await store.listBranches(chatId, { includeArchived: true });
            assert.deepEqual(
              graph.branches,
              branches.map(({ name, headMessageId, isActive }) => ({ name, headMessageId, isActive })),
            );
            assert.deepEqual(graph.checkpoints, head ? [{ name: 'here', messageId: head.id }] : []);
          }
          // Which branch is active depends on the user who looks.
          const { branches } = await store.getGraph('chat-1', { userId: 'bob' });
          const forBob = await store.listBranches('chat-1', { includeArchived: true, userId: 'bob' });
          assert.deepEqual(
            branches.map(({ isActive }) => isActive),
            forBob.map(({ isActive }) => isActive),
          );
        }),
      ),
      { numRuns: 40 },
    );
  });

  for (const [what, damage] of [
    ['what a message says is no JSON', "UPDATE messages SET data = '{' WHERE key = 5"],
    [
      'it is JSON only together with the next',
      "UPDATE messages SET data = iif(key = 5, '[0', '1]') WHERE key IN (5, 6)",
    ],
    ['it is JSON of several values', "UPDATE messages SET data = '1,2' WHERE key = 5"],
    ['what a message says is bytes', "UPDATE messages SET data = x'2278' WHERE key = 5"],
    ['a message has bytes for an id', "UPDATE messages SET id = x'00ff' WHERE key = 5"],
    ['a message has a time that is none', "UPDATE messages SET createdAt = 'then' WHERE key = 5"],
  ] as const) {
    it(`is reported as damaged when ${what}`, () =>
      withStore(async (connection, store) => {
        connection.transact((transaction) => {
          for (let key = 1; key <= 9; key++) {
            const parent = key === 1 ? null : key - 1;
            const content = ['user', 'message', '"x"', 'i', 0];
            transaction.run(insertMessage, [key, 1, `m-${key}`, parent, key, ...content]);
          }
        });
        assert.equal((await store.getGraph('chat-1')).nodes.length, 9);
        connection.execute(damage);
        await assert.rejects(store.getGraph('chat-1'), DamagedDataError);
      }));
  }
});
