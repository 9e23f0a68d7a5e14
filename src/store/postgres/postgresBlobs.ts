import { sha256 } from '../../engine/bytes.ts';
import type { BlobStore } from '../../engine/store.ts';
import type { StoreAccess } from './storeAccess.ts';
import { BlobTooLargeError } from './storeErrors.ts';

/** The default maximum size of a blob in the database. */
export const MAX_BLOB_BYTES = 32 * 1024 * 1024;

/** Bytes, each stored once, and readable only by users who put them or may read a message that names them. */
export class PostgresBlobs implements BlobStore {
  constructor(
    private readonly store: StoreAccess,
    private readonly maxBytes: number,
  ) {}

  async put(bytes: Uint8Array): Promise<string> {
    if (bytes.byteLength > this.maxBytes) throw new BlobTooLargeError(bytes.byteLength, this.maxBytes);
    const copy = Uint8Array.from(bytes);
    const hash = await sha256(copy);
    await this.store.value('put_blob($1, $2)', [hash, copy]);
    return hash;
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    const bytes = await this.store.value<Uint8Array>('get_blob($1)', [hash]);
    return bytes && new Uint8Array(bytes);
  }

  async has(hash: string): Promise<boolean> {
    return (await this.store.value<boolean>('has_blob($1)', [hash])) ?? false;
  }

  async usedBytes(): Promise<number> {
    return (await this.store.value<number>('used_bytes()')) ?? 0;
  }
}
