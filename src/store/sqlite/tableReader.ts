import type { Database as SqlDatabase, SqlJsStatic, SqlValue, Statement } from 'sql.js';
import type {
  ColumnIs,
  DatabaseRow,
  DatabaseValue,
  ForeignDatabase,
  OpenDatabase,
  Unzstd,
  WantedRows,
} from '../../base/foreignDatabase.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { loadSqlite } from './connection.ts';
import { FileForSqlite } from './fileForSqlite.ts';

/** The fewest bytes that a row takes in a file. */
const LEAST_ROW = 4;

/**
 * Reads a database file that may be damaged, or made to do harm: a view or a computed column could take forever, and
 * so could pages that form a circle.
 */
export class TableReader implements ForeignDatabase {
  private readonly database: SqlDatabase;
  private readonly mostRows: number;
  private readonly columns = new Map<string, ReadonlySet<string>>();

  /**
   * @param image is taken over
   * @throws ImportError
   */
  constructor(
    sqlite: SqlJsStatic,
    image: Uint8Array<ArrayBuffer>,
    readonly unzstd: Unzstd | undefined,
  ) {
    this.mostRows = image.byteLength / LEAST_ROW;
    this.database = new sqlite.Database(new FileForSqlite(image));
    try {
      this.database.run('PRAGMA trusted_schema = OFF');
      this.database.run('PRAGMA query_only = ON');
      this.database.run('PRAGMA cell_size_check = ON');
      this.database.run('PRAGMA temp_store = MEMORY');
      this.database.run('PRAGMA cache_size = -8000');
      const tables = this.texts(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'",
        [],
      );
      for (const table of tables) {
        // Hidden ones are computed.
        const columns = this.texts('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0', [table]);
        this.columns.set(table, new Set(columns));
      }
    } catch (cause) {
      this.database.close();
      throw damaged(cause);
    }
  }

  get tables(): ReadonlySet<string> {
    return new Set(this.columns.keys());
  }

  *rows(table: string, { columns, where = {} }: WantedRows): Generator<DatabaseRow> {
    const known = this.columns.get(table);
    const conditions = Object.entries(where);
    if (!known || conditions.some(([column]) => !known.has(column))) return;
    const read = [...columns, ...conditions.map(([column]) => column)].filter((each) => known.has(each));
    const all = `SELECT ${read.map(quoted).join(', ') || '1'} FROM ${quoted(table)}`;
    let statement: Statement | undefined;
    try {
      statement = this.search(all, conditions) ?? this.database.prepare(all);
      for (let count = 0; statement.step(); count++) {
        if (count > this.mostRows) throw new Error('its pages form a circle');
        const values = statement.get();
        const valueOf = (column: string): DatabaseValue => values[read.indexOf(column)] ?? null;
        if (conditions.every(([column, is]) => isSuch(valueOf(column), is)))
          yield Object.fromEntries(columns.map((column) => [column, valueOf(column)]));
      }
    } catch (cause) {
      throw damaged(cause);
    } finally {
      statement?.free();
    }
  }

  close(): void {
    this.database.close();
  }

  /** Undefined if there is no index for it: each row that SQLite steps over is counted as well. */
  private search(
    all: string,
    conditions: readonly (readonly [column: string, is: ColumnIs])[],
  ): Statement | undefined {
    if (conditions.length === 0) return undefined;
    const terms = conditions.map(([column, is]) =>
      typeof is === 'object' ? `${quoted(column)} >= ? AND ${quoted(column)} < ?` : `${quoted(column)} = ?`,
    );
    const sql = `${all} WHERE ${terms.join(' AND ')}`;
    const values = conditions.flatMap(([, is]) => (typeof is === 'object' ? [is.from, is.before] : [is]));
    const [step, ...more] = this.texts(`EXPLAIN QUERY PLAN ${sql}`, values);
    return step?.startsWith('SEARCH ') === true && more.length === 0
      ? this.database.prepare(sql, values)
      : undefined;
  }

  private texts(sql: string, values: readonly SqlValue[]): string[] {
    const [found] = this.database.exec(sql, [...values]);
    return (found?.values ?? []).map((row) => String(row.at(-1)));
  }
}

/** @param wasm returns the bytes of `sql-wasm.wasm` */
export function databaseOpener(wasm: () => Promise<Uint8Array<ArrayBuffer>>, unzstd?: Unzstd): OpenDatabase {
  return async (image) => new TableReader(await loadSqlite(wasm), image, unzstd);
}

function isSuch(value: DatabaseValue, is: ColumnIs): boolean {
  if (typeof is !== 'object') return value === is;
  return typeof value === 'string' && value >= is.from && value < is.before;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function damaged(cause: unknown): ImportError {
  if (cause instanceof ImportError) return cause;
  const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable';
  return new ImportError(defineMessage('its database is damaged ({0})', reason), { cause });
}
