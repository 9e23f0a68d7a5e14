import assert from 'node:assert/strict';
import { loadSqlite } from '../../../../src/store/sqlite/connection.ts';
import { FileForSqlite } from '../../../../src/store/sqlite/fileForSqlite.ts';
import { sqliteWasm } from '../../../fixtures/wasm.ts';

describe('a database file that is given to SQLite', () => {
  it('is not copied, neither when it is opened nor when it grows', async () => {
    const sqlite = await loadSqlite(sqliteWasm);
    const made = new sqlite.Database();
    made.run('CREATE TABLE kept (text TEXT)');
    made.run('INSERT INTO kept VALUES (?)', ['before '.repeat(300_000)]);
    const before = made.export();
    made.close();
    const buffer = new ArrayBuffer(Math.ceil(before.byteLength * 1.125));
    const file = new Uint8Array(buffer, 0, before.byteLength);
    file.set(before);

    const database = new sqlite.Database(new FileForSqlite(file));
    database.run('INSERT INTO kept VALUES (?)', ['after '.repeat(10_000)]);
    database.close();

    const grown = Buffer.from(buffer).subarray(before.byteLength);
    assert.match(grown.toString('latin1'), /after after/);
  });

  it('gives parts of itself as any array does', () => {
    const file = new FileForSqlite(Uint8Array.from([1, 2, 3, 4]));
    assert.deepEqual(file.slice(1, 3), Uint8Array.from([2, 3]));
    assert.notEqual(file.slice(0, 2).buffer, file.buffer);
  });
});
