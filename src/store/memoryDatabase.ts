import { ClosedError } from '../engine/errors.ts';
import { Connection, loadSqlite } from './connection.ts';
import type { Database, SqlParameter, SqlRow, Transaction } from './database.ts';
import { migrate } from './schema.ts';

/** A database that lives as long as this object. */
export class MemoryDatabase implements Database {
  readonly isReadOnly = false;
  private closed = false;

  constructor(private readonly connection: Connection) {}

  all(sql: string, parameters?: readonly SqlParameter[]): SqlRow[] {
    return this.live().all(sql, parameters);
  }

  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[] {
    return this.live().map(sql, parameters, read);
  }

  get(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined {
    return this.live().get(sql, parameters);
  }

  transaction<T>(work: (transaction: Transaction) => T): Promise<T> {
    // What the work throws becomes a rejection, as it would with any other database.
    return new Promise((resolve) => {
      resolve(this.live().transact(work).result);
    });
  }

  close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      this.connection.close();
    }
    return Promise.resolve();
  }

  private live(): Connection {
    if (this.closed) throw new ClosedError('database');
    return this.connection;
  }
}

/** @param wasm gives the bytes of `sql-wasm.wasm` */
export async function openMemoryDatabase(
  wasm: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<MemoryDatabase> {
  const connection = new Connection(await loadSqlite(wasm));
  migrate(connection);
  return new MemoryDatabase(connection);
}
