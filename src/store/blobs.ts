import type { BlobStore } from '../engine/store.ts';

/** Blobs that can be looked through, so that those nobody names can go. */
export interface CollectableBlobs extends BlobStore {
  list(): Promise<BlobInfo[]>;
  remove(hash: string): Promise<void>;
}

export interface BlobInfo {
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  /** Since these bytes were last put, in milliseconds. */
  readonly age: number;
}
