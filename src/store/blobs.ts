import type { BlobStore } from '../engine/store.ts';

/** Blobs that can be listed, so that unreferenced ones can be removed. */
export interface CollectableBlobs extends BlobStore {
  list(): Promise<BlobInfo[]>;
  remove(hash: string): Promise<void>;
}

export interface BlobInfo {
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  /** Time since these bytes were last put, in milliseconds. */
  readonly age: number;
}
