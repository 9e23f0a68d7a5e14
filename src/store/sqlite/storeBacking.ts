import type { Emitter } from '../../base/emitter.ts';
import type { StoreChange } from '../../engine/graph.ts';
import type { CollectableBlobs } from './blobCollection.ts';
import type { Database } from './database.ts';

/** How a store gets its database: on the first call that needs it, and once. */
export interface StoreBacking {
  readonly open: () => Promise<Database>;
  readonly blobs: CollectableBlobs;
  /** Returns the bytes of `sql-wasm.wasm`, for stores in memory that are made from this one; default: none are. */
  readonly wasm?: (() => Promise<Uint8Array<ArrayBuffer>>) | undefined;
  readonly now?: () => number;
  /** Fires for changes of all stores on the same database, for each to report; default: its own changes. */
  readonly changes?: Emitter<StoreChange>;
}
