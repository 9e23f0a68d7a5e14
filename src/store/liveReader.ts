import type { Reader, SqlParameter, SqlRow } from './database.ts';

/** Reads from the current source of the rows, which may change or be closed at any time. */
export abstract class LiveReader implements Reader {
  /** @throws ClosedError */
  protected abstract live(): Reader;

  all(sql: string, parameters?: readonly SqlParameter[]): SqlRow[] {
    return this.live().all(sql, parameters);
  }

  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[] {
    return this.live().map(sql, parameters, read);
  }

  get(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined {
    return this.live().get(sql, parameters);
  }
}
