import type { Platform } from '../../platform/platform.ts';
import { loadSqlite } from '../connection.ts';
import { SqlContextStore } from '../contextStore.ts';
import type { StoreBacking } from '../storeSession.ts';
import { DurableDatabase } from './durableDatabase.ts';
import { NotPrivateError, type RecoveryReport, type StorageAccess } from './storageErrors.ts';
import { FileBlobStore } from './fileBlobStore.ts';
import { StorageFiles } from './storageFiles.ts';
import type { SizeLimit } from '../tooLarge.ts';
import { WriterLock } from './writerLock.ts';

export interface DurableStoreOptions {
  readonly folder: string;
  /** The folder holds nothing else, so that it can be closed to others; its files always are. */
  readonly hasOwnFolder?: boolean;
  /** The name of the database file in it; default `offshoot.db`. */
  readonly database?: string;
  readonly platform: Platform;
  /** How large the journals may become, in bytes, before they are made part of the database file. */
  readonly journalLimit?: number;
  /** After how long without a save they are made part of it anyway, in milliseconds; default: a minute. */
  readonly quietMs?: number;
  /** How long closing may take for that, in milliseconds; default: as long as it takes. */
  readonly closeWithinMs?: number;
  /** How large the database may become: what would make it larger is refused. */
  readonly sizeLimit?: SizeLimit;
  readonly onRecovery: (report: RecoveryReport) => void;
  readonly onError: (error: unknown) => void;
  /** Called when the store is opened, and whenever it becomes or stops being the one that writes. */
  readonly onDidChangeAccess?: (access: StorageAccess) => void;
  /** A second window became the writer, or read what the writer wrote: everything may be different. */
  readonly onDidRefresh?: () => void;
  readonly now?: () => number;
}

/** A database in a folder, and the bytes beside it; the folder is read when the database is opened. */
export function durableBacking(options: DurableStoreOptions): StoreBacking {
  const { folder, platform, onRecovery, onError, onDidRefresh, now = Date.now } = options;
  const { journalLimit, sizeLimit, quietMs, closeWithinMs } = options;
  const { files, owner, wasm } = platform;
  const storage = new StorageFiles(files, folder, options.database);
  return {
    blobs: new FileBlobStore(files, storage.blobs),
    now,
    open: async () => {
      for (const failure of await storage.protect(options.hasOwnFolder ?? false)) {
        onError(new NotPrivateError(folder, failure));
      }
      const lock = new WriterLock(files, storage.lock, owner);
      const sqlite = await loadSqlite(wasm);
      const parts = { sqlite, storage, platform, lock, journalLimit, sizeLimit, quietMs, closeWithinMs };
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
