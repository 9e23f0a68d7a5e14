import { ClosedError } from '../engine/errors.ts';
import { Connection, loadSqlite } from './connection.ts';
import type { Database, Transaction } from './database.ts';
import { LiveReader } from './liveReader.ts';
import { migrate } from './schema.ts';

/** A database in memory, for the lifetime of this object. */
export class MemoryDatabase extends LiveReader implements Database {
  readonly isReadOnly = false;
  private closed = false;

  constructor(private readonly connection: Connection) {
    super();
  }

  transaction<T>(work: (transaction: Transaction) => T): Promise<T> {
    // An error thrown by the work becomes a rejection, as with any other database.
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

  protected live(): Connection {
    if (this.closed) throw new ClosedError('database');
    return this.connection;
  }
}

/** @param wasm returns the bytes of `sql-wasm.wasm` */
export async function openMemoryDatabase(
  wasm: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<MemoryDatabase> {
  const connection = new Connection(await loadSqlite(wasm));
  migrate(connection);
  return new MemoryDatabase(connection);
}
