import assert from 'node:assert/strict';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, MemoryDatabase, openMemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { textMessage } from '../../../src/engine/uiMessage.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

/** What versions with schema 2 ask of a newer file, which they show and don't change. */
const asked = {
  active: `SELECT b.name FROM branches b WHERE b.chatKey = (SELECT key FROM chats WHERE id = 'chat') AND isActive = 1`,
  drafts: `SELECT c.id AS chatId, b.name AS branch, d.data, d.updatedAt
    FROM drafts d JOIN branches b ON b.key = d.branchKey JOIN chats c ON c.key = b.chatKey WHERE c.trashedAt IS NULL`,
  events: 'SELECT sequence, kind, branch, messageId, details, createdAt FROM events ORDER BY sequence',
};

describe('to a program of schema 2, the tables', () => {
  it('have one active branch, which is the owner’s, and the drafts and the log as ever', async () => {
    const database = await openMemoryDatabase(sqliteWasm);
    const blobs = new MemoryBlobStore();
    const store = new SqlContextStore({ open: () => Promise.resolve(database), blobs });
    const active = (): unknown[] => database.all(asked.active).map((row) => row['name']);
    const bob = { userId: 'bob' };
    await store.createChat({ id: 'chat', userId: 'ann' });
    await store.createBranch({ chatId: 'chat', name: 'second', headMessageId: null, from: 'main', ...bob });
    await store.activateBranch('chat', 'second', bob);
    assert.deepEqual(active(), ['main']);
    await store.activateBranch('chat', 'second');
    assert.deepEqual(active(), ['second']);
    await store.activateBranch('chat', 'main', bob);
    assert.deepEqual(active(), ['second']);
    await store.deleteBranch('chat', 'second', bob);
    assert.deepEqual(active(), ['main'], 'a branch that was deleted below its owner');
    await store.saveDraft({ chatId: 'chat', branch: 'main', message: textMessage('d', 'assistant', '…') });
    assert.equal(database.all(asked.drafts).length, 1);
    assert.equal(database.all(asked.events).length, (await store.listEvents('chat')).length);
    await store.close();
  });
});

describe('a file that a later version wrote', () => {
  it('shows its log without the kinds of events that are not known yet', async () => {
    const connection = new Connection(await loadSqlite(sqliteWasm));
    migrate(connection);
    const database = new MemoryDatabase(connection);
    const store = new SqlContextStore({
      open: () => Promise.resolve(database),
      blobs: new MemoryBlobStore(),
    });
    await store.createChat({ id: 'chat', userId: 'ann' });
    const known = await store.listEvents('chat');
    connection.execute(
      `INSERT INTO events (sequence, chatKey, userId, kind, details, createdAt)
       SELECT 1000, key, 'ann', 'of-the-future', '{}', 1 FROM chats`,
    );
    assert.deepEqual(await store.listEvents('chat'), known);
    assert.deepEqual(await store.listEvents('chat', { limit: 1 }), known.slice(-1));
    await store.close();
  });
});
