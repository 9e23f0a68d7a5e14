import type { Disposable, Event } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { Platform, ProgramLock } from '../host/platform.ts';
import { ClosedError } from '../engine/errors.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import { loadSqlite } from './sqlite/connection.ts';
import { SqlContextStore } from './sqlite/contextStore.ts';
import { DurableDatabase } from './durable/durableDatabase.ts';
import { FileBlobStore } from './durable/fileBlobStore.ts';
import { NoWindowError } from './windows/reachWindow.ts';
import { SharedDatabase } from './windows/sharedDatabase.ts';
import { StorageFiles } from './durable/storageFiles.ts';
import { storageParts } from './durable/storageParts.ts';
import type { Files } from '../host/files.ts';

export interface FollowOptions {
  readonly folder: string;
  readonly platform: Platform;
  readonly onError: (error: unknown) => void;
}

/** The current conversations of a folder that other processes write to. */
export interface FollowedFolder extends Disposable {
  readonly store: ReadonlyStore;
  /** Something was written without a change event of the store: anything may be different. */
  readonly onDidRefresh: Event<undefined>;
  /** Reads everything written until now; without it, the store lags by half a second at most. */
  look(): Promise<void>;
  /** Asks the user in the writing window. @throws NoWindowError, and errors of the question */
  ask(name: string, given: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Replaces a reader's lock: it never becomes the writer. */
const neverHeld: ProgramLock = {
  isHeld: false,
  tryAcquire: () => Promise.resolve(false),
  confirm: () => Promise.resolve(false),
  release: () => Promise.resolve(),
};

/**
 * Follows the writes of a workspace's windows from a process without a window. It reads snapshot and journals even
 * when no writer exists; it never writes or touches a file, and the folder may not exist yet. The folder is read on
 * the store's first call.
 */
export function followFolder({ folder, platform, onError }: FollowOptions): FollowedFolder {
  const files = onlyReading(platform.files);
  const storage = new StorageFiles(files, folder);
  const refreshed = new Emitter<undefined>();
  let opening: Promise<SharedDatabase> | undefined;
  let isDisposed = false;
  const open = async (): Promise<SharedDatabase> => {
    const channels = await platform.channels?.();
    if (!channels) throw new NoWindowError();
    const reading = { ...platform, files };
    const sqlite = await loadSqlite(platform.wasm);
    const own = await DurableDatabase.open({
      sqlite,
      storage,
      platform: reading,
      lock: neverHeld,
      now: Date.now,
      onError,
      // The writer sets damaged files aside and reports them.
      onRecovery: () => undefined,
    });
    const options = { storage, platform: reading, channels, parts: storageParts, now: Date.now, onError };
    const database = new SharedDatabase(own, { ...options, role: 'guest' });
    database.onDidRefresh(() => refreshed.fire(undefined));
    return database;
  };
  /** A failed opening is tried again by the next call. */
  const database = async (): Promise<SharedDatabase> => {
    if (isDisposed) throw new ClosedError('store');
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const close = async (): Promise<void> => {
    isDisposed = true;
    await store.close();
    // `look` and `ask` open it for themselves.
    const opened = await opening?.catch(() => undefined);
    await opened?.close();
  };
  const store = new SqlContextStore({ open: database, blobs: new FileBlobStore(files, storage.blobs) });
  return {
    store,
    onDidRefresh: refreshed.event,
    look: async () => (await database()).look(),
    ask: async (name, given, signal) => (await database()).ask(name, given, signal),
    dispose: () => {
      refreshed.dispose();
      close().catch(onError);
    },
  };
}

/** A write was attempted where only reading is allowed: a bug of this program. */
class OnlyReadingError extends Error {
  constructor(what: string) {
    super(`A reader was to ${what}.`);
    this.name = 'OnlyReadingError';
  }
}

/** Files for code that must never write. Missing folders are not created, and access rights stay as they are. */
function onlyReading(files: Files): Files {
  const refuse = (what: string) => () => Promise.reject(new OnlyReadingError(what));
  return {
    read: (path, options) => files.read(path, options),
    stamp: (path) => files.stamp(path),
    list: (folder) => files.list(folder),
    names: (folder) => files.names(folder),
    join: (folder, name) => files.join(folder, name),
    ensureFolder: () => Promise.resolve(),
    protect: () => Promise.resolve(),
    write: refuse('write a file'),
    replace: refuse('replace a file'),
    openLog: refuse('open a journal'),
    move: refuse('move a file'),
    remove: refuse('remove a file'),
    createExclusively: refuse('make a file'),
    touch: refuse('touch a file'),
  };
}
