import { ClosedError } from '../../engine/errors.ts';
import { Connection, loadSqlite } from './connection.ts';
import { LiveReader, type Database, type Transaction } from './database.ts';
import { migrate } from './schema.ts';
import { sha256 } from '../../engine/bytes.ts';
import type { BlobInfo, CollectableBlobs } from './blobCollection.ts';
import type { StoreBacking } from './storeBacking.ts';

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

/** @param wasm returns the bytes of `sql-wasm.wasm` */
export function memoryBacking(
  wasm: () => Promise<Uint8Array<ArrayBuffer>>,
  now?: () => number,
): StoreBacking {
  const backing = { open: () => openMemoryDatabase(wasm), blobs: new MemoryBlobStore(), wasm };
  return now ? { ...backing, now } : backing;
}

export class MemoryBlobStore implements CollectableBlobs {
  private readonly blobs = new Map<string, Uint8Array>();
  private readonly putAt = new Map<string, number>();

  async put(bytes: Uint8Array): Promise<string> {
    const copy = Uint8Array.from(bytes);
    const hash = await sha256(copy);
    this.blobs.set(hash, copy);
    this.putAt.set(hash, Date.now());
    return hash;
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    const bytes = this.blobs.get(hash);
    return Promise.resolve(bytes && Uint8Array.from(bytes));
  }

  has(hash: string): Promise<boolean> {
    return Promise.resolve(this.blobs.has(hash));
  }

  usedBytes(): Promise<number> {
    return Promise.resolve([...this.blobs.values()].reduce((sum, { byteLength }) => sum + byteLength, 0));
  }

  list(): Promise<BlobInfo[]> {
    const now = Date.now();
    const infos = Array.from(this.blobs, ([hash, { byteLength }]) => ({
      hash,
      size: byteLength,
      age: now - (this.putAt.get(hash) ?? 0),
    }));
    return Promise.resolve(infos);
  }

  remove(hash: string): Promise<void> {
    this.blobs.delete(hash);
    this.putAt.delete(hash);
    return Promise.resolve();
  }
}
