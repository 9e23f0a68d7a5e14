import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { user } from '../../../src/engine/fragments/index.ts';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, MemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

describe('the ranking of what was found', () => {
  it('is of the newest, where a word stands in more messages than can be ranked while one types', async function () {
    this.timeout(60_000);
    const connection = new Connection(await loadSqlite(sqliteWasm));
    migrate(connection);
    const store = new SqlContextStore({
      open: () => Promise.resolve(new MemoryDatabase(connection)),
      blobs: new MemoryBlobStore(),
    });
    await new ContextEngine({ store, chatId: 'chat', userId: 'ann' }).set(user('often')).save();
    // The first one is the best, for being the shortest.
    connection.execute(`
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
      INSERT INTO messages (key, chatKey, id, parentKey, depth, name, type, data, invocationId, createdAt)
        SELECT i, 1, 'm-' || i, i - 1, i, 'user', 'message', '"often said"', 'i', 4102444800000 + i FROM n;
      INSERT INTO messageTexts (docid, text) SELECT rowid, text FROM indexedTexts WHERE rowid > 1`);
    const before = connection.export();
    const [first, second] = await store.searchMessages('chat', 'often', { limit: 2 });
    assert.deepEqual([first?.message.id, second?.message.id], ['m-20001', 'm-20000']);
    // Nothing of it is in the file.
    assert.deepEqual(connection.export(), before);
    await store.close();
  });
});
