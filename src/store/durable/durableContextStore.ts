import type { Files } from '../../platform/files.ts';
import type { LockOwner } from '../../platform/processes.ts';
import { loadSqlite } from '../connection.ts';
import { SqlContextStore } from '../contextStore.ts';
import { DurableDatabase } from './durableDatabase.ts';
import type { RecoveryReport } from './errors.ts';
import { FileBlobStore } from './fileBlobStore.ts';
import { StorageFiles } from './storageFiles.ts';
import { WriterLock } from './writerLock.ts';

export interface DurableStoreOptions {
  readonly folder: string;
  /** The name of the database file in it; default `offshoot.db`. */
  readonly database?: string;
  readonly files: Files;
  readonly owner: LockOwner;
  /** Gives the bytes of `sql-wasm.wasm`. */
  readonly wasm: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly onRecovery: (report: RecoveryReport) => void;
  readonly onError: (error: unknown) => void;
  /** A second window became the writer, or read what the writer wrote: everything may be different. */
  readonly onDidRefresh?: () => void;
  readonly now?: () => number;
}

/** A store in a folder; the folder is read when the first call needs it. */
export class DurableContextStore extends SqlContextStore {
  constructor(options: DurableStoreOptions) {
    const { folder, files, owner, wasm, onRecovery, onError, onDidRefresh, now = Date.now } = options;
    const storage = new StorageFiles(files, folder, options.database);
    super({
      blobs: new FileBlobStore(files, files.join(folder, 'blobs')),
      now,
      open: async () => {
        const database = await DurableDatabase.open({
          sqlite: await loadSqlite(wasm),
          storage,
          lock: new WriterLock(files, storage.lock, owner),
          now,
          onRecovery,
          onError,
        });
        if (onDidRefresh) database.onDidRefresh(onDidRefresh);
        return database;
      },
    });
  }
}
