import type { Database as SqlDatabase, Statement } from 'sql.js';
import type { Reader, SqlParameter, SqlRow, SqlValue } from './database.ts';
import { textsAsBytes } from './textsAsBytes.ts';
import { needsIndex } from './unindexedTexts.ts';

interface Prepared {
  readonly statement: Statement;
  readonly columns: readonly string[];
  /** It reads or changes the index of words. */
  readonly needsIndex: boolean;
}

/** The statements of one database, each prepared once and kept. */
export class Statements implements Reader {
  private readonly kept = new Map<string, Prepared>();

  /** @param completeIndex makes the index of words whole, which a statement is about to read or change */
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
  }

  private bound(sql: string, parameters: readonly SqlParameter[]): Prepared {
    const given = textsAsBytes(sql, parameters);
    const prepared = this.kept.get(given.sql) ?? this.prepare(given.sql);
    if (prepared.needsIndex) this.completeIndex();
    if (given.values.length > 0) {
      try {
        // They are read and not kept, which the type does not say.
        prepared.statement.bind(given.values as SqlValue[]);
      } catch (error) {
        prepared.statement.reset();
        throw error;
      }
    }
    return prepared;
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
