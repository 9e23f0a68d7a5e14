import type { Platform } from '../../platform/platform.ts';
import { loadSqlite } from '../connection.ts';
import { SqlContextStore, type StoreBacking } from '../contextStore.ts';
import { DurableDatabase } from './durableDatabase.ts';
import type { RecoveryReport, StorageAccess } from './errors.ts';
import { FileBlobStore } from './fileBlobStore.ts';
import { StorageFiles } from './storageFiles.ts';
import { WriterLock } from './writerLock.ts';

export interface DurableStoreOptions {
  readonly folder: string;
  /** The name of the database file in it; default `offshoot.db`. */
  readonly database?: string;
  readonly platform: Platform;
  /** How large the journals may become, in bytes, before they are made part of the database file. */
  readonly journalLimit?: number;
  /** After how long without a save they are made part of it anyway, in milliseconds; default: a minute. */
  readonly quietMs?: number;
  /** How long closing may take for that, in milliseconds; default: as long as it takes. */
  readonly closeWithinMs?: number;
  readonly onRecovery: (report: RecoveryReport) => void;
  readonly onError: (error: unknown) => void;
  /** Told when the store is opened, and whenever it becomes or stops being the one that writes. */
  readonly onDidChangeAccess?: (access: StorageAccess) => void;
  /** A second window became the writer, or read what the writer wrote: everything may be different. */
  readonly onDidRefresh?: () => void;
  readonly now?: () => number;
}

/** A database in a folder, and the bytes beside it; the folder is read when the database is opened. */
export function durableBacking(options: DurableStoreOptions): StoreBacking {
  const { folder, platform, onRecovery, onError, onDidRefresh, now = Date.now } = options;
  const { journalLimit, quietMs, closeWithinMs } = options;
  const { files, owner, wasm } = platform;
  const storage = new StorageFiles(files, folder, options.database);
  return {
    blobs: new FileBlobStore(files, files.join(folder, 'blobs')),
    now,
    open: async () => {
      const lock = new WriterLock(files, storage.lock, owner);
      const sqlite = await loadSqlite(wasm);
      const parts = { sqlite, storage, platform, lock, journalLimit, quietMs, closeWithinMs };
      const database = await DurableDatabase.open({ ...parts, now, onRecovery, onError });
      if (onDidRefresh) database.onDidRefresh(onDidRefresh);
      if (options.onDidChangeAccess) {
        options.onDidChangeAccess(database.access);
        database.onDidChangeAccess(options.onDidChangeAccess);
      }
      return database;
    },
  };
}

/** A store in a folder; the folder is read when the first call needs it. */
export class DurableContextStore extends SqlContextStore {
  constructor(options: DurableStoreOptions) {
    super(durableBacking(options));
  }
}
