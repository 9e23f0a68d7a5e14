import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeFiles } from '../platform/node/nodeFiles.ts';
import { thisProcess } from '../platform/node/thisProcess.ts';
import { SqlContextStore } from '../store/contextStore.ts';
import { DurableContextStore } from '../store/durable/durableContextStore.ts';
import type { RecoveryReport } from '../store/durable/errors.ts';
import { MemoryBlobStore } from '../store/memoryBlobs.ts';
import { openMemoryDatabase } from '../store/memoryDatabase.ts';

export * from '../engine/index.ts';
export type { RecoveryReport } from '../store/durable/errors.ts';

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
      files: new NodeFiles(),
      owner: thisProcess(),
      wasm,
      onRecovery: options.onRecovery ?? warnOfRecovery,
      onError: (error) => process.emitWarning(error instanceof Error ? error : String(error)),
    });
  }
}

/** Conversations that live as long as this object: the same store over a database in memory. */
export class InMemoryContextStore extends SqlContextStore {
  constructor() {
    super({ open: () => openMemoryDatabase(wasm), blobs: new MemoryBlobStore() });
  }
}

/** SQLite stands beside this module. */
async function wasm(): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await readFile(fileURLToPath(new URL('./sql-wasm.wasm', import.meta.url))));
}

function warnOfRecovery({ outcome, keptAside }: RecoveryReport): void {
  process.emitWarning(
    `The conversation database was damaged (${outcome}). Kept aside: ${keptAside.join(', ')}`,
  );
}
