import path from 'node:path';
import { sqliteWasm } from '../platform/node/nodeParts.ts';
import { nodePlatform } from '../platform/node/nodePlatform.ts';
import { SqlContextStore } from '../store/contextStore.ts';
import { DurableContextStore } from '../store/durable/durableContextStore.ts';
import type { RecoveryReport } from '../store/durable/errors.ts';
import { MemoryBlobStore } from '../store/memoryBlobs.ts';
import { openMemoryDatabase } from '../store/memoryDatabase.ts';

export * from '../engine/index.ts';
export { conversationsFile, writeConversations } from '../exchange/conversationsFile.ts';
export { importFile } from '../exchange/importFile.ts';
export { chatAsMarkdown } from '../exchange/markdown.ts';
export type { RecoveryReport } from '../store/durable/errors.ts';

/** SQLite and the worker that makes snapshots stand beside this module. */
const dist = import.meta.dirname;

/** What a store in a file can be told. */
export interface SqliteContextStoreOptions {
  /** Gets what was found damaged when the file was opened; default: a process warning. */
  readonly onRecovery?: (report: RecoveryReport) => void;
}

/**
 * Conversations in an SQLite file, with its journal beside it. The file is opened by the first call.
 * @example const store = new SqliteContextStore('./chat.db');
 */
export class SqliteContextStore extends DurableContextStore {
  constructor(file: string, options: SqliteContextStoreOptions = {}) {
    const absolute = path.resolve(file);
    super({
      folder: path.dirname(absolute),
      database: path.basename(absolute),
      platform: nodePlatform(dist),
      onRecovery: options.onRecovery ?? warnOfRecovery,
      onError: (error) => process.emitWarning(error instanceof Error ? error : String(error)),
    });
  }
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
