import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What is read of the database; ids grow with time, so that numbers in this order keep it. */
const tables = {
  session: 'time_created, id',
  message: 'time_created, id',
  part: 'id',
} as const;

/** Of a session's row: the rest is of no conversation, or names the machine. */
const COLUMNS = ['id', 'parent_id', 'directory', 'title', 'time_created', 'time_updated', 'revert'];

/**
 * A small database of the same tables, with what is in the log in it, and in the smallest pages.
 * @param file the database, with its log next to it
 */
export function sampledDatabase(
  database: Buffer,
  log: Buffer | undefined,
  neutral: (text: string) => string,
): Buffer {
  // Samples are read also where Node has no SQLite.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const folder = mkdtempSync(path.join(tmpdir(), 'opencode-sample-'));
  try {
    const from = path.join(folder, 'opencode.db');
    writeFileSync(from, database);
    if (log) writeFileSync(`${from}-wal`, log);
    const to = path.join(folder, 'sample.db');
    const [source, sample] = [new DatabaseSync(from), new DatabaseSync(to)];
    sample.exec('PRAGMA page_size = 512; PRAGMA journal_mode = DELETE');
    for (const [table, order] of Object.entries(tables)) {
      const rows = source.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).all();
      const kept = table === 'session' ? COLUMNS : Object.keys(rows[0] ?? { id: '', data: '' });
      sample.exec(`CREATE TABLE ${table} (${kept.join(', ')})`);
      const insert = sample.prepare(`INSERT INTO ${table} VALUES (${kept.map(() => '?').join(', ')})`);
      for (const row of rows) {
        const values = JSON.parse(neutral(JSON.stringify(kept.map((column) => row[column] ?? null)))) as (
          string | number | null
        )[];
        insert.run(...values);
      }
    }
    sample.exec('VACUUM');
    sample.close();
    source.close();
    return readFileSync(to);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
