import { sha256 } from '../engine/sha256.ts';
import type { BlobStore } from '../engine/store.ts';

/** Blobs that live as long as their store. */
export class MemoryBlobStore implements BlobStore {
  private readonly blobs = new Map<string, Uint8Array>();

  async put(bytes: Uint8Array): Promise<string> {
    const copy = Uint8Array.from(bytes);
    const hash = await sha256(copy);
    this.blobs.set(hash, copy);
    return hash;
  }

  has(hash: string): Promise<boolean> {
    return Promise.resolve(this.blobs.has(hash));
  }

  usedBytes(): Promise<number> {
    return Promise.resolve([...this.blobs.values()].reduce((sum, { byteLength }) => sum + byteLength, 0));
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    const bytes = this.blobs.get(hash);
    return Promise.resolve(bytes && Uint8Array.from(bytes));
  }
}
