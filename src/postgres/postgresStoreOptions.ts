import type { SharedStoreOptions } from './sharedStore.ts';

/** The location of the database, and the limits of its use. */
export interface PostgresStoreOptions extends SharedStoreOptions {
  /** The maximum size of an artifact or a version of a file in the database; default 32 MiB. */
  readonly maxBlobBytes?: number;
  /**
   * Identifies this machine among those of the store: file changes are bound to it, and those of other machines are
   * returned with folders that do not exist here. Left out: folders are stored unchanged.
   */
  readonly machine?: string;
}
