import { sha256 } from '../engine/sha256.ts';
import type { BlobInfo, CollectableBlobs } from './blobs.ts';

/** Blobs in memory, for the lifetime of their store. */
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
