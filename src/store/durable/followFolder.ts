import type { Disposable, Event } from '../../kit/disposable.ts';
import { Emitter } from '../../kit/emitter.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { loadSqlite } from '../connection.ts';
import { SqlContextStore } from '../contextStore.ts';
import { DurableDatabase } from './durableDatabase.ts';
import type { ProgramLock } from '../../platform/locks.ts';
import { FileBlobStore } from './fileBlobStore.ts';
import { onlyReading } from './onlyReading.ts';
import { NoWindowError } from './sharing/reachWindow.ts';
import { SharedDatabase } from './sharing/sharedDatabase.ts';
import { StorageFiles } from './storageFiles.ts';
import { storageParts } from './storageParts.ts';

export interface FollowOptions {
  readonly folder: string;
  readonly platform: Platform;
  /** Gets what went wrong in the background. */
  readonly onError: (error: unknown) => void;
}

/** Conversations that others write, as they are now. */
export interface FollowedFolder extends Disposable {
  readonly store: ReadonlyStore;
  /** Something was written that no change of the store tells of: anything may be different. */
  readonly onDidRefresh: Event<undefined>;
  /** Reads what was written until now; without it, the store follows half a second behind at most. */
  look(): Promise<void>;
  /** Asks the user, in the window that writes. @throws NoWindowError, and what came of the question */
  ask(name: string, given: unknown, signal: AbortSignal): Promise<unknown>;
}

/** What a reader has in place of a lock: it never becomes the writer. */
const neverHeld: ProgramLock = {
  isHeld: false,
  tryAcquire: () => Promise.resolve(false),
  confirm: () => Promise.resolve(false),
  release: () => Promise.resolve(),
};

/**
 * Follows what the windows of a workspace write, from a process that has no window. It reads snapshot and journals, also
 * while nobody writes; no file is ever written or touched, and the folder need not be there yet. It is read when the
 * store is first asked for something.
 */
export function followFolder({ folder, platform, onError }: FollowOptions): FollowedFolder {
  const files = onlyReading(platform.files);
  const storage = new StorageFiles(files, folder);
  const refreshed = new Emitter<undefined>();
  let opening: Promise<SharedDatabase> | undefined;
  const open = async (): Promise<SharedDatabase> => {
    const reading = { ...platform, files };
    const sqlite = await loadSqlite(platform.wasm);
    const own = await DurableDatabase.open({
      ...{ sqlite, storage, platform: reading, lock: neverHeld, now: Date.now, onError },
      // What is damaged is for the writer to set aside and to report.
      onRecovery: () => undefined,
    });
    if (!platform.channels) throw new NoWindowError();
    const channels = await platform.channels();
    const options = { storage, platform: reading, channels, parts: storageParts, now: Date.now, onError };
    const database = new SharedDatabase(own, { ...options, role: 'guest' });
    database.onDidRefresh(() => refreshed.fire(undefined));
    return database;
  };
  /** A failed opening is tried again by the next call. */
  const database = (): Promise<SharedDatabase> =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  const store = new SqlContextStore({ open: database, blobs: new FileBlobStore(files, storage.blobs) });
  return {
    store,
    onDidRefresh: refreshed.event,
    look: async () => (await database()).look(),
    ask: async (name, given, signal) => (await database()).ask(name, given, signal),
    dispose: () => {
      refreshed.dispose();
      store.close().catch(onError);
    },
  };
}
