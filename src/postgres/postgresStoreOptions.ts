import type { SharedStoreOptions } from './sharedStore.ts';

/** Where the database is, and what may be done there. */
export interface PostgresStoreOptions extends SharedStoreOptions {
  /** How large an artifact or a version of a file may be that the database keeps; default 32 MiB. */
  readonly maxBlobBytes?: number;
  /**
   * Names this machine among those of the store: changes of files are bound to it, and come back from other machines with
   * folders that are none here. Left out: folders are kept as they are.
   */
  readonly machine?: string;
}
