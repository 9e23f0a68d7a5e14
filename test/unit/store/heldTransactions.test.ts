import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Connection, loadSqlite, type Group } from '../../../src/store/sqlite/connection.ts';
import type { Reader, Transaction } from '../../../src/store/sqlite/database.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { DatabaseFullError } from '../../../src/store/sqlite/sizeLimit.ts';
import { indexTexts } from '../../../src/store/sqlite/unindexedTexts.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

const put = 'INSERT INTO kept (key, value) VALUES (?, ?)';
const tables = 'CREATE TABLE kept (key INTEGER PRIMARY KEY, value TEXT)';
const message = `INSERT INTO messages (key, chatKey, id, depth, name, type, data, invocationId, createdAt)
  VALUES (?, 1, ?, 1, 'user', 'message', ?, 'turn', 0)`;
const chat =
  "INSERT INTO chats (key, id, userId, metadata, createdAt, updatedAt) VALUES (1, 'c', 'u', '{}', 0, 0)";

/** A new key each time. */
let next = 1;

const ways: Readonly<Record<string, (transaction: Transaction) => void>> = {
  small: (transaction) => void transaction.run(put, [next++, 'small']),
  updated: (transaction) =>
    void transaction.run('UPDATE kept SET value = ? WHERE key = ?', [`${next}`, next - 1]),
  long: (transaction) => void transaction.run(put, [next++, 'long '.repeat(2_000)]),
  many: (transaction) => {
    for (let count = 0; count < 30; count++) transaction.run(put, [next++, 'one of many']);
  },
  deleted: (transaction) => void transaction.run('DELETE FROM kept WHERE key % 3 = ?', [next % 3]),
  indexed: (transaction) => {
    const key = next++;
    const data = JSON.stringify({
      id: `m${key}`,
      role: 'user',
      parts: [{ type: 'text', text: `word${key}` }],
    });
    transaction.run(message, [key, `m${key}`, data]);
    transaction.run(indexTexts, [key, key]);
  },
  undone: (transaction) => {
    transaction.run(put, [next++, 'undone']);
    throw new Error('undone');
  },
  refused: (transaction) => {
    transaction.run(put, [next, 'refused']);
    transaction.run(put, [next++, 'the same key']);
  },
  unread: () => {
    throw new Error('nothing was written');
  },
  full: (transaction) => {
    transaction.run(put, [next++, 'before it is full']);
    for (let count = 0; count < 10; count++) transaction.run(put, [next++, 'x'.repeat(50_000)]);
  },
};

const contents = (reader: Reader): unknown => [
  reader.all('SELECT * FROM kept ORDER BY key'),
  reader.all('SELECT id FROM messages ORDER BY key'),
  reader.all("SELECT docid FROM messageTexts WHERE messageTexts MATCH 'word*' ORDER BY docid"),
];

describe('a transaction', () => {
  let sqlite: Awaited<ReturnType<typeof loadSqlite>>;
  before(async () => {
    sqlite = await loadSqlite(sqliteWasm);
  });

  const made = (file?: Uint8Array): Connection => {
    const connection = new Connection(sqlite, file);
    migrate(connection);
    return connection;
  };

  const withTables = (): Connection => {
    const connection = made();
    connection.execute(`${tables}; ${chat}`);
    return connection;
  };

  it('that fails takes nothing else with it, and memory is what its journal repeats', () => {
    const step = fc.constantFrom(...Object.keys(ways), 'small', 'small', 'read from a file', 'executed');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const connection = withTables();
        const journal: Group[] = [];
        for (const each of steps) {
          const before = contents(connection);
          if (each === 'executed') connection.execute('PRAGMA user_version');
          if (each === 'read from a file') {
            const copy = made(connection.export());
            assert.deepEqual(contents(copy), before);
            copy.close();
          }
          const way = ways[each];
          if (!way) continue;
          const limit = each === 'full' ? { maxBytes: 250_000, deletingBytes: 0 } : undefined;
          try {
            journal.push(connection.transact(way, limit).written);
          } catch (error) {
            if (each === 'full') assert.ok(error instanceof DatabaseFullError);
            assert.deepEqual(contents(connection), before);
          }
        }
        const repeated = withTables();
        assert.equal(repeated.replay(journal), journal.length);
        assert.deepEqual(contents(repeated), contents(connection));
        for (const each of [repeated, connection]) each.close();
      }),
      { numRuns: 40 },
    );
  });

  it('is there for every reader once it has ended, however many are held together', () => {
    const connection = withTables();
    const [first] = [next];
    for (let count = 1; count <= 250; count++) {
      connection.transact((transaction) => transaction.run(put, [next++, 'small']));
      const found = connection.get('SELECT count(*) AS count FROM kept WHERE key >= ?', [first]);
      assert.equal(found?.['count'], count);
    }
    const copy = made(connection.export());
    assert.deepEqual(contents(copy), contents(connection));
    for (const each of [copy, connection]) each.close();
  });
});
