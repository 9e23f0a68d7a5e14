import assert from 'node:assert/strict';
import type { Database as SqlDatabase, SqlJsStatic } from 'sql.js';
import { ImportError } from '../../../src/engine/errors.ts';
import { loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { TableReader } from '../../../src/store/sqlite/tableReader.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

describe('the tables of a database of another program', () => {
  let sqlite: SqlJsStatic;
  const readers: TableReader[] = [];

  before(async () => {
    sqlite = await loadSqlite(sqliteWasm);
  });

  afterEach(() => {
    for (const each of readers.splice(0)) each.close();
  });

  function imageOf(sql: string): Uint8Array<ArrayBuffer> {
    const database: SqlDatabase = new sqlite.Database();
    database.exec(sql);
    const image = Uint8Array.from(database.export());
    database.close();
    return image;
  }

  function open(image: Uint8Array<ArrayBuffer>): TableReader {
    const reader = new TableReader(sqlite, image, undefined);
    readers.push(reader);
    return reader;
  }

  it('are read by columns, by values and by ranges, with an index or without', () => {
    for (const key of ['key TEXT UNIQUE', 'key TEXT']) {
      const reader = open(
        imageOf(`CREATE TABLE "it's" (${key}, value);
          INSERT INTO "it's" VALUES ('a:1', 'one'), ('a:2', x'0102'), ('b:1', 3), ('c', NULL)`),
      );
      const rows = (where: Parameters<TableReader['rows']>[1]['where'] = {}): unknown[] => [
        ...reader.rows("it's", { columns: ['value', 'later'], where }),
      ];
      assert.deepEqual([...reader.tables], ["it's"]);
      assert.equal(rows().length, 4);
      assert.deepEqual(rows({ key: 'b:1' }), [{ value: 3, later: null }]);
      assert.deepEqual(rows({ key: { from: 'a:', before: 'a;' } }), [
        { value: 'one', later: null },
        { value: Uint8Array.from([1, 2]), later: null },
      ]);
      assert.deepEqual(rows({ later: 1 }), []);
      assert.deepEqual([...reader.rows('other', { columns: ['value'] })], []);
    }
  });

  it('are those that are stored: no views, no virtual tables, no computed columns', () => {
    const endless =
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) AS id FROM n';
    const reader = open(
      imageOf(`CREATE TABLE message (id, computed AS (hex(zeroblob(4000000))), kept AS (id || 'x') STORED);
        INSERT INTO message (id) VALUES (1);
        CREATE VIEW session AS ${endless};
        CREATE VIRTUAL TABLE part USING fts4(id)`),
    );
    for (const name of ['session', 'part']) {
      assert.equal(reader.tables.has(name), false, name);
      assert.deepEqual([...reader.rows(name, { columns: ['id'] })], []);
    }
    assert.deepEqual(
      [...reader.rows('message', { columns: ['id', 'computed', 'kept'] })],
      [{ id: 1, computed: null, kept: null }],
    );
  });

  it('end where their pages form a circle', () => {
    const image = imageOf(`PRAGMA page_size = 512; CREATE TABLE message (id INTEGER PRIMARY KEY, text);
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000)
      INSERT INTO message SELECT x, 'text ' || x FROM n`);
    // Page 2 is the root of the table: all of its children become the first one.
    const root = new DataView(image.buffer, 512, 512);
    assert.equal(root.getUint8(0), 5);
    const firstCell = root.getUint16(12);
    const levels = root.getUint16(3);
    for (let cell = 0; cell < levels; cell++)
      root.setUint32(root.getUint16(12 + cell * 2), cell === 0 ? 2 : root.getUint32(firstCell));
    const read = (where = {}): number =>
      [...open(image.slice()).rows('message', { columns: ['id', 'text'], where })].length;
    assert.throws(() => read(), ImportError);
    assert.throws(() => read({ text: 'none of them' }), ImportError);
  });

  it('of a damaged file are refused, and none of them ends the program', () => {
    const image = imageOf(`PRAGMA page_size = 512; CREATE TABLE message (id INTEGER PRIMARY KEY, text);
      INSERT INTO message VALUES (1, '${'long '.repeat(1_000)}'), (2, 'short')`);
    for (let at = 0; at < image.byteLength; at += 7) {
      const damaged = image.slice();
      damaged.fill(0xff, at, at + 3);
      try {
        const rows = [...open(damaged).rows('message', { columns: ['id', 'text'] })];
        assert.ok(rows.length <= 300);
      } catch (error) {
        assert.ok(error instanceof ImportError, String(error));
      } finally {
        readers.pop()?.close();
      }
    }
  });
});
