import type { ProgramLock, Platform } from '../host/platform.ts';
import { loadSqlite } from './sqlite/connection.ts';
import { SqlContextStore } from './sqlite/contextStore.ts';
import type { StoreBacking } from './sqlite/storeBacking.ts';
import { DurableDatabase } from './durable/durableDatabase.ts';
import { asOpeningError } from './durable/durableDatabaseOptions.ts';
import { NotPrivateError, type RecoveryReport, type StorageAccess } from './durable/storageErrors.ts';
import { FileBlobStore } from './durable/fileBlobStore.ts';
import type { AdoptionOptions } from './windows/adoptFolders.ts';
import type { SharedDatabase, SharedDatabaseOptions } from './windows/sharedDatabase.ts';
import { storageParts } from './durable/storageParts.ts';
import type { AnswerQuestion } from './windows/guestQuestions.ts';
import { StorageFiles } from './durable/storageFiles.ts';
import type { SizeLimit } from './sqlite/sizeLimit.ts';
import { WriterLock } from './durable/writerLock.ts';

export interface DurableStoreOptions {
  readonly folder: string;
  /** The folder holds nothing else, so its permissions can be restricted; those of its files always are. */
  readonly hasOwnFolder?: boolean;
  /** The name of the database file in it; default `offshoot.db`. */
  readonly database?: string;
  readonly platform: Platform;
  /** The size at which journals are merged into the database file, in bytes. */
  readonly journalLimit?: number;
  /** The time without a save after which they are merged anyway, in milliseconds; default: a minute. */
  readonly quietMs?: number;
  /** How long closing may take for that, in milliseconds; default: no limit. */
  readonly closeWithinMs?: number;
  /** How long to wait before files that could not be prepared for writing are tried again; default: 5 s. */
  readonly retryMs?: number;
  /** The maximum size of the database: changes that would exceed it are rejected. */
  readonly sizeLimit?: SizeLimit;
  /** Folders whose conversations are copied into this one, once, if there are any. */
  readonly adoptFrom?: readonly string[];
  readonly onDidAdopt?: (chats: number) => void;
  readonly onRecovery: (report: RecoveryReport) => void;
  readonly onError: (error: unknown) => void;
  /** Called when the store is opened, and when it becomes or stops being the writer. */
  readonly onDidChangeAccess?: (access: StorageAccess) => void;
  /** Another window became the writer, or this one read the writer's changes: everything may be different. */
  readonly onDidRefresh?: () => void;
  /** Shows the user the requests of programs without a window; left out: requests are not possible. */
  readonly onAsk?: AnswerQuestion;
  readonly now?: () => number;
}

/** A database in a folder, with its blobs; the folder is read when the database is opened. */
export function durableBacking(options: DurableStoreOptions): StoreBacking {
  const { folder, platform, onRecovery, onError, onDidRefresh, now = Date.now } = options;
  const { journalLimit, sizeLimit, quietMs, closeWithinMs, retryMs } = options;
  const { files, wasm } = platform;
  const storage = new StorageFiles(files, folder, options.database);
  const blobs = new FileBlobStore(files, storage.blobs);
  return {
    blobs,
    now,
    wasm,
    open: async () => {
      await prepareFiles(storage, options);
      const lock = lockOf(platform, storage);
      const sqlite = await loadSqlite(wasm);
      const limits = { journalLimit, sizeLimit, quietMs, closeWithinMs, retryMs };
      const parts = { sqlite, storage, platform, lock, ...limits };
      const loading = loadSharing(options);
      const own = await DurableDatabase.open({ ...parts, now, onRecovery, onError });
      const share = await loading;
      const database = share
        ? share(own, { storage, platform, parts: storageParts, now, onError, onAsk: options.onAsk })
        : own;
      try {
        if ('lookForWindows' in database) await database.lookForWindows();
      } catch (error) {
        // Nobody gets it, so that nobody could close it.
        await database.close();
        throw error;
      }
      if (onDidRefresh) database.onDidRefresh(onDidRefresh);
      if (options.onDidChangeAccess) {
        options.onDidChangeAccess(database.access);
        database.onDidChangeAccess(options.onDidChangeAccess);
      }
      if ('refresh' in database && options.adoptFrom) {
        const adopt = (): void => {
          if (!own.isWriter) return;
          database.beforeClosing(adoptOthers(options, { sqlite, blobs, own, database })).catch(onError);
        };
        adopt();
        own.onDidChangeAccess(adopt);
      }
      return database;
    },
  };
}

/** Loaded while the database is read. Without it, one window writes and the others only read. */
async function loadSharing({ platform: { channels }, onError }: DurableStoreOptions) {
  if (!channels) return undefined;
  try {
    const [{ SharedDatabase }, loaded] = await Promise.all([
      import('./windows/severalWindows.ts'),
      channels(),
    ]);
    return (own: DurableDatabase, options: Omit<SharedDatabaseOptions, 'channels'>) =>
      new SharedDatabase(own, { ...options, channels: loaded });
  } catch (error) {
    onError(error);
    return undefined;
  }
}

interface Adopting {
  readonly sqlite: Awaited<ReturnType<typeof loadSqlite>>;
  readonly blobs: FileBlobStore;
  readonly own: DurableDatabase;
  readonly database: SharedDatabase;
}

/** Only the writing window does so. */
async function adoptOthers(
  { adoptFrom = [], platform, onError, onDidAdopt }: DurableStoreOptions,
  { sqlite, blobs, own, database }: Adopting,
): Promise<void> {
  const { files } = platform;
  const { adoptFolders } = await import('./windows/severalWindows.ts');
  const folders = adoptFrom.map((folder) => {
    const storage = new StorageFiles(files, folder);
    const lock = lockOf(platform, storage);
    return { storage, lock, blobs: new FileBlobStore(files, storage.blobs) };
  });
  const transaction: AdoptionOptions['transaction'] = (work) => own.transaction(work);
  const count = await adoptFolders(folders, {
    sqlite,
    platform,
    blobs,
    transaction,
    onError,
    parts: storageParts,
  });
  if (count === 0) return;
  onDidAdopt?.(count);
  database.refresh();
}

/**
 * Makes sure that there are only files, and restricts access to them; failures of the latter are reported, and do not
 * prevent opening them.
 * @throws UnusablePathError before anything is touched
 */
async function prepareFiles(
  storage: StorageFiles,
  { folder, hasOwnFolder = false, onError }: DurableStoreOptions,
): Promise<void> {
  try {
    await storage.check();
    for (const failure of await storage.protect(hasOwnFolder)) onError(new NotPrivateError(folder, failure));
  } catch (error) {
    throw asOpeningError(error);
  }
}

function lockOf({ lock, files, owner }: Platform, storage: StorageFiles): ProgramLock {
  return lock ? lock(storage.lock) : new WriterLock(files, storage.lock, owner);
}

/** The folder is read when the first call needs it. */
export class DurableContextStore extends SqlContextStore {
  constructor(options: DurableStoreOptions) {
    super(durableBacking(options));
  }
}
