import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { databaseImage, isDatabase } from '../../../../src/importExport/databases/databaseFile.ts';
import type { SourceFile } from '../../../../src/importExport/importBatch.ts';
import { ImportReport } from '../../../../src/importExport/importReport.ts';
import { NodeForeignFiles } from '../../../../src/host/node/nodeForeignFiles.ts';
import { loadSqlite } from '../../../../src/store/sqlite/connection.ts';
import { TableReader } from '../../../../src/store/sqlite/tableReader.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';
import { sqliteWasm } from '../../../fixtures/wasm.ts';

/** Files in memory, by name. */
type Files = Map<string, Uint8Array>;

function fileOf(files: Files, name: string, onRead?: (name: string) => void): SourceFile {
  return {
    name,
    size: files.get(name)?.byteLength ?? 0,
    changedAt: 0,
    chunks: async function* () {
      const bytes = files.get(name) ?? new Uint8Array();
      onRead?.(name);
      for (let at = 0; at < bytes.byteLength; at += 1_000)
        yield await Promise.resolve(bytes.slice(at, at + 1_000));
    },
    sibling: async (ending) =>
      await Promise.resolve(files.has(name + ending) ? fileOf(files, name + ending, onRead) : undefined),
  };
}

async function rowsOf(file: SourceFile, report = new ImportReport()): Promise<string[]> {
  const image = await databaseImage(file, report);
  const reader = new TableReader(await loadSqlite(sqliteWasm), image, undefined);
  try {
    return [...reader.rows('notes', { columns: ['id', 'text'] })]
      .map(({ id, text }) => `${String(id)} ${String(text)}`)
      .toSorted();
  } finally {
    reader.close();
  }
}

function rowsIn(database: DatabaseSync): string[] {
  return database
    .prepare('SELECT id, text FROM notes')
    .all()
    .map(({ id, text }) => `${String(id)} ${String(text)}`)
    .toSorted();
}

const logOf = (file: string): string => `${file}-wal`;

describe('a database file of another program', () => {
  it('is known by its beginning', () => {
    assert.equal(isDatabase('SQLite format 3\0…'), true);
    assert.equal(isDatabase(new TextEncoder().encode('SQLite format 3\0…')), true);
    assert.equal(isDatabase('{"SQLite format 3": 0}'), false);
    assert.equal(isDatabase(new Uint8Array()), false);
  });

  it('is refused when it is none, or too large', async () => {
    const files: Files = new Map([['notes.db', new TextEncoder().encode('SQLite'.repeat(1_000))]]);
    const file = fileOf(files, 'notes.db');
    await assert.rejects(databaseImage(file, new ImportReport()), /it is not an SQLite database/u);
    await assert.rejects(databaseImage(file, new ImportReport(), 1_000), /notes\.db is larger than/u);
    const grown = { ...file, size: 0 };
    await assert.rejects(databaseImage(grown, new ImportReport(), 1_000), /notes\.db is larger than/u);
  });

  // Node has SQLite without a flag since 22.13.
  if (!isBuiltin('node:sqlite')) return;
  const real = process.getBuiltinModule('node:sqlite');

  describe('that SQLite writes', () => {
    let folder = '';
    const files = new NodeForeignFiles({}, '/nowhere');
    const opened: DatabaseSync[] = [];

    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'databases-'));
    });

    afterEach(async () => {
      for (const each of opened.splice(0)) if (each.isOpen) each.close();
      await rm(folder, { recursive: true });
    });

    function make(mode: 'WAL' | 'DELETE', pageSize = 4_096, name = 'notes.db'): DatabaseSync {
      const database = new real.DatabaseSync(path.join(folder, name));
      opened.push(database);
      database.exec(
        `PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = ${mode}; PRAGMA cache_size = 10; PRAGMA synchronous = OFF`,
      );
      database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
      return database;
    }

    async function found(name = 'notes.db'): Promise<SourceFile> {
      const file = (await files.list(folder)).files.find((each) => each.name === name);
      assert.ok(file);
      return file;
    }

    /** What is on the disk now. */
    async function copied(): Promise<Files> {
      const copy: Files = new Map();
      for (const { name } of (await files.list(folder)).files)
        if (!name.endsWith('-shm')) copy.set(name, await readFile(path.join(folder, name)));
      return copy;
    }

    it('has what is committed in its log, and not what is not', async () => {
      const database = make('WAL');
      database.exec("INSERT INTO notes VALUES (1, 'committed')");
      database.exec('BEGIN');
      // More than its cache holds: the log has pages of a transaction that is not committed.
      for (let id = 2; id < 200; id++)
        database.prepare('INSERT INTO notes VALUES (?, ?)').run(id, 'open '.repeat(500));
      assert.ok((await readFile(logOf(path.join(folder, 'notes.db')))).byteLength > 200_000);

      assert.deepEqual(await rowsOf(await found()), ['1 committed']);
    });

    it('says in the report that its log is not there to be read', async () => {
      make('WAL').exec("INSERT INTO notes VALUES (1, 'in the log')");
      const file = await found();
      const report = new ImportReport();
      await databaseImage({ ...file, sibling: undefined }, report);
      assert.deepEqual(
        report.all().map(({ what }) => what.template),
        ['What was written last: its file next to the database can’t be read here'],
      );
    });

    it('is not read in the middle of a transaction that writes it', async () => {
      const database = make('DELETE');
      database.exec('BEGIN');
      for (let id = 1; id < 200; id++)
        database.prepare('INSERT INTO notes VALUES (?, ?)').run(id, 'open '.repeat(500));
      await assert.rejects(rowsOf(await found()), /its program is writing to it/u);
      database.exec('COMMIT');
      assert.equal((await rowsOf(await found())).length, 199);
    });

    it('is read again when it was changed during reading', async () => {
      for (const mode of ['DELETE', 'WAL'] as const) {
        const name = `${mode}.db`;
        const database = make(mode, 4_096, name);
        for (let id = 0; id < 50; id++)
          database.prepare('INSERT INTO notes VALUES (?, ?)').run(id, 'old '.repeat(2_000));
        const copy = await copied();
        let [reads, isChanged] = [0, false];
        const file = fileOf(copy, name, (read) => {
          if (read !== name) return;
          reads += 1;
          if (isChanged) return;
          isChanged = true;
          // A checkpoint, and the log started again.
          database.exec("PRAGMA wal_checkpoint(TRUNCATE); UPDATE notes SET text = 'new'");
        });
        const replaced: SourceFile = {
          ...file,
          chunks: async function* () {
            yield* file.chunks();
            for (const [each, bytes] of await copied()) copy.set(each, bytes);
          },
        };
        const rows = await rowsOf(replaced);
        assert.deepEqual([...new Set(rows.map((row) => row.split(' ')[1]))], ['new'], mode);
        assert.ok(reads > 1, mode);
      }
    });

    it('is what the program would read, after any transactions and checkpoints', async () => {
      const step = fc.oneof(
        fc.record({ kind: fc.constant('insert'), id: fc.nat(40), length: fc.nat(9_000) }),
        fc.record({ kind: fc.constant('delete'), id: fc.nat(40) }),
        fc.record({ kind: fc.constantFrom('begin', 'commit', 'rollback', 'vacuum', 'drop') }),
        fc.record({
          kind: fc.constant('checkpoint'),
          how: fc.constantFrom('PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'),
        }),
      );
      const steps = fc.array(step, { minLength: 1, maxLength: 30 });
      const pageSizes = fc.constantFrom(512, 1_024, 4_096, 65_536);
      let number = 0;
      await fc.assert(
        fc.asyncProperty(steps, pageSizes, fc.nat(), async (given, pageSize, cut) => {
          const name = `${++number}.db`;
          const database = make('WAL', pageSize, name);
          const reader = new real.DatabaseSync(path.join(folder, name));
          opened.push(reader);
          const states = [rowsIn(reader)];
          for (const each of given) {
            try {
              run(database, each);
            } catch (error) {
              // A checkpoint or a commit that isn't possible now.
              assert.match(String(error), /transaction|locked/u);
            }
            states.push(rowsIn(reader));
          }
          const copy = await copied();
          assert.deepEqual(await rowsOf(fileOf(copy, name)), states.at(-1));

          // A log that was cut is what one of the earlier transactions left.
          const log = copy.get(logOf(name));
          if (!log) return;
          copy.set(logOf(name), log.slice(0, cut % (log.byteLength + 1)));
          const rows = await rowsOf(fileOf(copy, name)).catch((error: unknown) => {
            // The database alone may be older than its tables.
            assert.match(String(error), /ImportError/u);
            return [];
          });
          if (given.every(({ kind }) => kind !== 'checkpoint'))
            assert.ok(rows.length === 0 || states.some((state) => state.join('\n') === rows.join('\n')));
        }),
        { numRuns: fuzzRuns(60) },
      );
    });

    it('is read where its program was killed, its log copied without the index of it', async () => {
      const database = make('WAL');
      database.exec("INSERT INTO notes VALUES (1, 'before')");
      for (const ending of ['', '-wal'])
        await copyFile(path.join(folder, `notes.db${ending}`), path.join(folder, `killed.db${ending}`));
      assert.deepEqual(await rowsOf(await found('killed.db')), ['1 before']);
    });
  });
});

interface Step {
  readonly kind: string;
  readonly id?: number;
  readonly length?: number;
  readonly how?: string;
}

function run(database: DatabaseSync, { kind, id = 0, length = 0, how = '' }: Step): void {
  switch (kind) {
    case 'insert':
      database.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)').run(id, 'x'.repeat(length));
      break;
    case 'delete':
      database.prepare('DELETE FROM notes WHERE id >= ?').run(id);
      break;
    case 'drop':
      database.exec('DROP TABLE IF EXISTS other; CREATE TABLE other AS SELECT * FROM notes');
      break;
    case 'checkpoint':
      database.exec(`PRAGMA wal_checkpoint(${how})`);
      break;
    default:
      database.exec(kind);
  }
}
