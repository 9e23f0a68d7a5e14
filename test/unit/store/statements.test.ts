import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import type { Reader } from '../../../src/store/sqlite/database.ts';
import { asBytes, longTexts, makingTexts } from '../../../src/store/sqlite/statements.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

/** Short or long, of any signs, halves of pairs included. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 200 }))
    .map(([piece, times]) => piece.repeat(times)),
  fc.constant(`${'long '.repeat(60)}\ud83d`),
);
const value = fc.oneof(text, fc.integer(), fc.constant(null));

describe('what statements are given', () => {
  let connection: Connection;

  before(async () => {
    connection = new Connection(await loadSqlite(sqliteWasm));
    connection.execute('CREATE TABLE kept (first TEXT, second ANY, third TEXT)');
  });

  after(() => connection.close());

  it('comes back as it was, and is text, however long it is', () => {
    fc.assert(
      fc.property(text, value, text, (...row) => {
        const { result } = connection.transact((transaction) => {
          transaction.run('DELETE FROM kept');
          transaction.run("INSERT INTO kept VALUES (?, coalesce(?, 'what? none'), ?)", row);
          return transaction.get('SELECT *, typeof(first) AS kind FROM kept WHERE third = ?', [row[2]]);
        });
        assert.deepEqual(result, {
          first: asRead(row[0]),
          second: row[1] === null ? 'what? none' : typeof row[1] === 'string' ? asRead(row[1]) : row[1],
          third: asRead(row[2]),
          kind: 'text',
        });
      }),
    );
  });

  it('makes no kept row outdated, whether it is written, undone, or executed as the schema is', () => {
    const figures = 'SELECT count(*) AS count, max(second) AS most FROM kept WHERE second > ?';
    const isAsStored = (reader: Reader): void => {
      for (const least of [0, 5]) {
        assert.deepEqual(reader.getKept(figures, [least]), reader.get(figures, [least]));
      }
    };
    const step = fc.record({
      how: fc.constantFrom('write', 'undo', 'execute', 'read'),
      value: fc.integer({ min: 1, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        for (const { how, value } of steps) {
          if (how === 'execute') connection.execute(`DELETE FROM kept WHERE second = ${value}`);
          const write = (): unknown =>
            connection.transact((transaction) => {
              isAsStored(transaction);
              transaction.run('INSERT INTO kept (second) VALUES (?)', [value]);
              for (const least of [0, 5]) {
                const row = transaction.get(figures, [least]);
                if (row) transaction.keep(figures, [least], row);
              }
              isAsStored(transaction);
              if (how === 'undo') throw new Error('undone');
            });
          if (how === 'write') write();
          if (how === 'undo') assert.throws(write, /undone/);
          isAsStored(connection);
        }
      }),
    );
  });

  it('makes no kept row outdated that another table, an update or a cascade changes', () => {
    connection.execute(`CREATE TABLE owners (key INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE owned (owner INTEGER REFERENCES owners(key) ON DELETE CASCADE)`);
    const counts = 'SELECT count(*) AS count FROM owned WHERE owner = ?';
    const names = 'SELECT name, (SELECT count(*) FROM owned) AS owned FROM owners WHERE key = ?';
    const statements = [
      'INSERT INTO owners (key, name) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET name = ?2',
      'INSERT OR REPLACE INTO owners (key, name) VALUES (?1, ?2)',
      'INSERT INTO owned (owner) SELECT key FROM owners WHERE key = ?1 OR name = ?2',
      'UPDATE owners SET name = ?2 WHERE key = ?1',
      'UPDATE OR IGNORE owners SET name = ?2 WHERE key = ?1',
      'DELETE FROM owners WHERE key = ?1 OR name = ?2',
    ];
    const step = fc.record({
      sql: fc.constantFrom(...statements),
      key: fc.integer({ min: 1, max: 3 }),
      name: fc.constantFrom('a', 'b'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        for (const { sql, key, name } of steps) {
          connection.transact((transaction) => transaction.run(sql, [key, name]));
          for (const kept of [counts, names]) {
            for (const each of [1, 2, 3]) {
              assert.deepEqual(connection.getKept(kept, [each]), connection.get(kept, [each]));
            }
          }
        }
      }),
    );
  });

  it('is bytes where it is long, so that it is copied at once', () => {
    const text = 'ä'.repeat(300);
    const sql = "INSERT INTO t VALUES (?, '?', ?, ?)";
    const parameters = ['short', text, 1];
    const long = longTexts(parameters);
    assert.equal(makingTexts(sql, long), "INSERT INTO t VALUES (?, '?', CAST(? AS TEXT), ?)");
    const [first, bytes, last] = asBytes(parameters, long, new Uint8Array(1_000));
    assert.deepEqual([first, last], ['short', 1]);
    assert.deepEqual(bytes, new TextEncoder().encode(text));
  });

  it('stays as it is where parameters have numbers, and where half of a pair would be lost', () => {
    assert.equal(makingTexts('SELECT ?1', 1), undefined);
    assert.equal(longTexts([`${'a'.repeat(300)}\udc00`]), 0);
  });
});

/** SQLite holds what half of a pair is in UTF-8, which reads as the sign for what cannot be read. */
function asRead(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8(text));
}

/** As sql.js writes it. */
function utf8(text: string): Uint8Array {
  return Uint8Array.from(
    Array.from(text).flatMap((sign) => {
      const code = sign.codePointAt(0) ?? 0;
      if (code < 0xd800 || code > 0xdfff) return [...new TextEncoder().encode(sign)];
      return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
    }),
  );
}
