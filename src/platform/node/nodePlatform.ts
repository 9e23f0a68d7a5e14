import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Platform } from '../platform.ts';
import { crc32 } from './crc32.ts';
import { NodeFiles } from './nodeFiles.ts';
import { SnapshotWorker } from './snapshotWorker.ts';
import { thisProcess } from './thisProcess.ts';

/** @param dist the folder with the built files: SQLite and the worker that makes snapshots */
export function nodePlatform(dist: string): Platform {
  return {
    files: new NodeFiles(),
    owner: thisProcess(),
    crc32,
    snapshots: new SnapshotWorker(path.resolve(dist, 'snapshotWorker.mjs')),
    wasm: () => sqliteWasm(dist),
  };
}

/** The bytes of SQLite, which stand beside the bundles. */
export async function sqliteWasm(dist: string): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await readFile(path.join(dist, 'sql-wasm.wasm')));
}
