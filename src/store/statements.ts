import type { Database as SqlDatabase, Statement } from 'sql.js';
import type { Reader, SqlParameter, SqlRow, SqlValue } from './database.ts';
import { asBytes, longTexts, makingTexts } from './textsAsBytes.ts';
import { needsIndex } from './unindexedTexts.ts';

interface Prepared {
  readonly statement: Statement;
  readonly columns: readonly string[];
  /** It reads or changes the word index. */
  readonly needsIndex: boolean;
}

/** The statements of one database, each prepared once and cached. */
export class Statements implements Reader {
  private readonly kept = new Map<string, Prepared>();
  /**
   * Variants of these statements that take long texts as bytes, by original statement and by which texts these are.
   */
  private readonly forBytes = new Map<string, Map<number, Prepared | undefined>>();

  private readonly room = new Uint8Array(65_536);

  /** @param completeIndex completes the word index before a statement reads or changes it */
  constructor(
    private readonly database: SqlDatabase,
    private readonly completeIndex: () => void,
  ) {}

  all(sql: string, parameters: readonly SqlParameter[] = []): SqlRow[] {
    return this.map(sql, parameters, (row) => row);
  }

  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[] {
    const { statement, columns } = this.bound(sql, parameters);
    const results: T[] = [];
    try {
      while (statement.step()) results.push(read(asRow(columns, statement.get())));
    } finally {
      statement.reset();
    }
    return results;
  }

  get(sql: string, parameters: readonly SqlParameter[] = []): SqlRow | undefined {
    const { statement, columns } = this.bound(sql, parameters);
    try {
      return statement.step() ? asRow(columns, statement.get()) : undefined;
    } finally {
      statement.reset();
    }
  }

  /** @returns how many rows it changed */
  run(sql: string, parameters: readonly SqlParameter[]): number {
    const { statement } = this.bound(sql, parameters);
    try {
      statement.step();
      return this.database.getRowsModified();
    } finally {
      statement.reset();
    }
  }

  free(): void {
    for (const { statement } of this.kept.values()) statement.free();
    this.kept.clear();
    this.forBytes.clear();
  }

  private bound(sql: string, parameters: readonly SqlParameter[]): Prepared {
    const long = longTexts(parameters);
    const taking = long === 0 ? undefined : this.takingBytes(sql, long);
    const prepared = taking ?? this.prepared(sql);
    if (prepared.needsIndex) this.completeIndex();
    if (parameters.length > 0) {
      // They are only read, which the type does not express.
      prepared.statement.bind(taking ? asBytes(parameters, long, this.room) : (parameters as SqlValue[]));
    }
    return prepared;
  }

  private prepared(sql: string): Prepared {
    return this.kept.get(sql) ?? this.prepare(sql);
  }

  /** The variant that takes these long texts as bytes; undefined when it cannot. */
  private takingBytes(sql: string, long: number): Prepared | undefined {
    const all = this.forBytes.get(sql) ?? new Map<number, Prepared | undefined>();
    this.forBytes.set(sql, all);
    if (!all.has(long)) {
      const making = makingTexts(sql, long);
      all.set(long, making === undefined ? undefined : this.prepared(making));
    }
    return all.get(long);
  }

  private prepare(sql: string): Prepared {
    const statement = this.database.prepare(sql);
    const prepared = { statement, columns: statement.getColumnNames(), needsIndex: needsIndex(sql) };
    this.kept.set(sql, prepared);
    return prepared;
  }
}

function asRow(columns: readonly string[], values: readonly SqlValue[]): SqlRow {
  const row: Record<string, SqlValue> = {};
  let index = 0;
  for (const column of columns) row[column] = values[index++] ?? null;
  return row;
}
