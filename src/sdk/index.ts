import path from 'node:path';
import { InvalidArgumentError } from '../engine/errors.ts';
import { verbatim } from '../engine/messageDescriptor.ts';
import { sqliteWasm } from '../host/node/nodeParts.ts';
import { nodePlatform } from '../host/node/nodePlatform.ts';
import { realLocation } from '../host/node/realLocation.ts';
import { SqlContextStore } from '../store/sqlite/contextStore.ts';
import type { StoreBacking } from '../store/sqlite/storeBacking.ts';
import { durableBacking } from '../store/durableContextStore.ts';
import type { RecoveryReport } from '../store/durable/storageErrors.ts';
import { memoryBacking } from '../store/sqlite/inMemory.ts';
import { SharedBacking } from '../store/sqlite/sharedBacking.ts';

export * from './portable.ts';
export type { RecoveryReport } from '../store/durable/storageErrors.ts';

/** SQLite and the worker that makes snapshots are next to this module. */
const dist = import.meta.dirname;

/** Options of a store in a file. */
export interface SqliteContextStoreOptions {
  /** Told of damage found on opening; default: a process warning. Of several stores on one file, the first is told. */
  readonly onRecovery?: (report: RecoveryReport) => void;
}

/**
 * Conversations in an SQLite file, with a journal of the latest saves next to it. The first call opens the file.
 *
 * A save is on disk when it resolves, even if the store is never closed, and an open store does not keep a program
 * running. Closing merges the journal into the file, as does a minute without a save, so that any SQLite tool shows
 * the conversations. Several stores on one file in one process share it: each is notified of the others' changes, and
 * the file is closed with the last of them.
 * @example
 * ```js
 * const store = new SqliteContextStore('./chat.db');
 * const same = new SqliteContextStore('./chat.db');
 * await store.upsertChat({ id: 'chat-1', userId: 'me', title: 'First' });
 * console.log((await same.getChat('chat-1')).title); // First
 * await store.close();
 * await same.close();
 * ```
 */
export class SqliteContextStore extends SqlContextStore {
  /** @throws InvalidArgumentError for names that other SQLite programs treat as a database in memory */
  constructor(file: string, options: SqliteContextStoreOptions = {}) {
    if (file === ':memory:' || file === '') {
      const problem = verbatim('conversations in memory are those of an InMemoryContextStore');
      throw new InvalidArgumentError(verbatim('file name'), problem);
    }
    const real = realLocation(file);
    super(sharedBacking(real, () => fileBacking(real, options)));
  }
}

function fileBacking(real: string, options: SqliteContextStoreOptions): StoreBacking {
  return durableBacking({
    folder: path.dirname(real),
    database: path.basename(real),
    platform: nodePlatform(dist),
    onRecovery: options.onRecovery ?? warnOfRecovery,
    onError: (error) => process.emitWarning(error instanceof Error ? error : String(error)),
  });
}

/** Conversations in memory for the lifetime of this object: the same store over a database in memory. */
export class InMemoryContextStore extends SqlContextStore {
  constructor() {
    super(memoryBacking(() => sqliteWasm(dist)));
  }
}

function warnOfRecovery({ outcome, keptAside }: RecoveryReport): void {
  process.emitWarning(
    `Files of the conversation database could not be used (${outcome}). Kept aside: ${keptAside.join(', ')}`,
  );
}

// Two stores on one file must work, because a program may make a store in several places and close none. Only one can
// write the file, so within a process they share it. They find each other on the global object, even when this module
// was loaded twice under different addresses; the name includes the version of its layout. A closed file leaves a few
// hundred bytes; the lock excludes other processes and threads.

const NAME = Symbol.for('offshoot.openDatabases.1');

/** The files this process has opened, or may open, by real path. */
function openDatabases(): Map<string, SharedBacking> {
  const global: { [NAME]?: Map<string, SharedBacking> } & object = globalThis;
  const known = global[NAME];
  if (known) return known;
  const databases = new Map<string, SharedBacking>();
  global[NAME] = databases;
  return databases;
}

/** @param make called for the first store on the file */
function sharedBacking(realPath: string, make: () => StoreBacking): SharedBacking {
  const databases = openDatabases();
  const known = databases.get(realPath);
  if (known) return known;
  const shared = new SharedBacking(make());
  databases.set(realPath, shared);
  return shared;
}
