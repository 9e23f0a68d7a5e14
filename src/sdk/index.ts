import path from 'node:path';
import { InvalidArgumentError } from '../engine/errors.ts';
import { verbatim } from '../engine/messageDescriptor.ts';
import { sqliteWasm } from '../platform/node/nodeParts.ts';
import { nodePlatform } from '../platform/node/nodePlatform.ts';
import { realLocation } from '../platform/node/realLocation.ts';
import { SqlContextStore } from '../store/contextStore.ts';
import type { StoreBacking } from '../store/storeSession.ts';
import { durableBacking } from '../store/durable/durableContextStore.ts';
import type { RecoveryReport } from '../store/durable/storageErrors.ts';
import { MemoryBlobStore } from '../store/memoryBlobs.ts';
import { openMemoryDatabase } from '../store/memoryDatabase.ts';
import { sharedBacking } from './openDatabases.ts';

export * from './portable.ts';
export type { RecoveryReport } from '../store/durable/storageErrors.ts';

/** SQLite and the worker that makes snapshots stand beside this module. */
const dist = import.meta.dirname;

/** Options of a store in a file. */
export interface SqliteContextStoreOptions {
  /** Gets what was found damaged when the file was opened; default: a process warning. Of several stores on one file, the one made first gets it. */
  readonly onRecovery?: (report: RecoveryReport) => void;
}

/**
 * Conversations in an SQLite file, with a journal of the latest saves beside it. The file is opened by the first call.
 *
 * A save is on the disk when it resolves, whether or not the store is ever closed, and a store that is not closed keeps
 * no program from ending. Closing makes the journal part of the file, as does a minute without a save, so that any SQLite
 * tool shows what was said. Several stores on one file in one process share it: each is notified of what the others change,
 * and the file is closed with the last of them.
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
  /** @throws InvalidArgumentError for what other programs with SQLite take for a database in memory, and no file */
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

/** Conversations that live as long as this object: the same store over a database in memory. */
export class InMemoryContextStore extends SqlContextStore {
  constructor() {
    super({ open: () => openMemoryDatabase(() => sqliteWasm(dist)), blobs: new MemoryBlobStore() });
  }
}

function warnOfRecovery({ outcome, keptAside }: RecoveryReport): void {
  process.emitWarning(
    `The conversation database was damaged (${outcome}). Kept aside: ${keptAside.join(', ')}`,
  );
}
