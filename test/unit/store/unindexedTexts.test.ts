import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { user } from '../../../src/engine/fragments/index.ts';
import { Connection, loadSqlite, type Group } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import type { Database, SqlRow } from '../../../src/store/sqlite/database.ts';
import { MemoryBlobStore } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { anyStep, perform, stepsOf } from '../../fixtures/randomChat.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

/** A store that keeps what its transactions wrote, as a journal does. */
function recordingStore(connection: Connection): { store: SqlContextStore; groups: Group[] } {
  const groups: Group[] = [];
  const database: Database = {
    isReadOnly: false,
    all: (sql, parameters) => connection.all(sql, parameters),
    map: (sql, parameters, read) => connection.map(sql, parameters, read),
    get: (sql, parameters) => connection.get(sql, parameters),
    getKept: (sql, parameters) => connection.getKept(sql, parameters),
    transaction: (work) =>
      new Promise((resolve) => {
        const { result, written } = connection.transact(work);
        groups.push(written);
        resolve(result);
      }),
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
  const store = new SqlContextStore({ open: () => Promise.resolve(database), blobs: new MemoryBlobStore() });
  return { store, groups };
}

/** What FTS4 knows of the texts. */
function figures(connection: Connection): SqlRow[][] {
  // SQLite compares the index with the texts it was made of; it throws when they differ.
  connection.execute("INSERT INTO messageTexts(messageTexts) VALUES ('integrity-check')");
  return [
    connection.all('SELECT * FROM messageTexts_docsize ORDER BY docid'),
    connection.all('SELECT * FROM messageTexts_stat WHERE id = 0'),
    ...['text', '1*', '"text 2*"'].map((words) =>
      connection.all(
        `SELECT docid, matchinfo(messageTexts, 'pcnalx') AS info FROM messageTexts
          WHERE messageTexts MATCH ? ORDER BY docid`,
        [words],
      ),
    ),
  ];
}

const filled = async (sqlite: Awaited<ReturnType<typeof loadSqlite>>, texts: number): Promise<Group[]> => {
  const connection = new Connection(sqlite);
  migrate(connection);
  const { store, groups } = recordingStore(connection);
  const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
  for (let index = 0; index < texts; index++) engine.set(user(`text ${index}`));
  await engine.save();
  await store.close();
  return groups;
};

describe('what was repeated from a journal and is not in the index of words yet', () => {
  it('is brought in as if it had been at once, whatever happens in between (fuzz)', async function () {
    this.timeout(60_000 * fuzzRuns(1));
    const sqlite = await loadSqlite(sqliteWasm);
    const between = fc.constantFrom('nothing', 'a step', 'a copy', 'a look', 'a transaction that fails');
    await fc.assert(
      fc.asyncProperty(
        stepsOf(anyStep, 25),
        fc.array(fc.record({ groups: fc.integer({ min: 1, max: 6 }), then: between }), { maxLength: 8 }),
        async (steps, parts) => {
          const eager = new Connection(sqlite);
          migrate(eager);
          const { store, groups } = recordingStore(eager);
          const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
          for (let index = 0; index < 60; index++) engine.set(user(`text ${index}`));
          await engine.save();
          const gone = new ContextEngine({ store, chatId: 'gone', userId: 'ann' });
          for (let index = 0; index < 40; index++) gone.set(user(`text ${index}`));
          await gone.save();
          for (const step of steps) await perform(store, step);
          await store.deleteChat('gone');
          await store.trash.empty();
          await perform(store, { do: 'save', at: 0 });

          let lazy = new Connection(sqlite);
          migrate(lazy);
          let done = 0;
          for (const { groups: count, then } of [...parts, { groups: Infinity, then: 'nothing' }]) {
            const part = groups.slice(done, done + count);
            assert.equal(lazy.replay(part), part.length);
            done += part.length;
            if (then === 'a step') lazy.completeIndex(0);
            if (then === 'a look') lazy.get('SELECT count(*) FROM messageTexts_docsize');
            if (then === 'a transaction that fails') {
              const failing = (): unknown =>
                lazy.transact((transaction) => {
                  transaction.run('DELETE FROM messageTexts WHERE docid = 1');
                  throw new Error('fails');
                });
              assert.throws(failing, { message: 'fails' });
            }
            if (then === 'a copy') {
              const copy = new Connection(sqlite, lazy.export());
              assert.deepEqual(copy.all('PRAGMA quick_check'), [{ quick_check: 'ok' }]);
              lazy.close();
              lazy = copy;
            }
          }
          assert.deepEqual(figures(lazy), figures(eager));
          lazy.close();
          await store.close();
        },
      ),
      { numRuns: fuzzRuns(40) },
    );
  });

  it('is left for later, and then brought in step by step', async () => {
    const sqlite = await loadSqlite(sqliteWasm);
    const groups = await filled(sqlite, 100);
    const connection = new Connection(sqlite);
    migrate(connection);
    assert.equal(connection.replay(groups), groups.length);
    let steps = 1;
    while (!connection.completeIndex(0)) steps += 1;
    assert.ok(steps > 1, 'all of it at once');
    const count = connection.get('SELECT count(*) AS count FROM messageTexts_docsize');
    assert.deepEqual(count, { count: 100 });
    connection.close();
  });
});
