import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Platform } from '../platform.ts';
import type { SnapshotBuilder } from '../snapshots.ts';
import { NodeFiles } from './nodeFiles.ts';
import { SnapshotWorker } from './snapshotWorker.ts';
import { thisProcess } from './thisProcess.ts';

/** A platform with threads that make snapshots. */
export type NodePlatform = Platform & { readonly snapshots: SnapshotBuilder };

/**
 * The platform without the checksum, which not every Node has.
 * @param dist the folder with the built files: SQLite and the worker that makes snapshots
 */
export function nodeParts(dist: string): Omit<NodePlatform, 'crc32'> {
  return {
    files: new NodeFiles(),
    owner: thisProcess(),
    snapshots: new SnapshotWorker(path.resolve(dist, 'snapshotWorker.mjs')),
    channels: async () => (await import('./socketChannels.ts')).socketChannels,
    wasm: () => sqliteWasm(dist),
  };
}

/** The bytes of SQLite, from the file next to the bundles. */
export async function sqliteWasm(dist: string): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await readFile(path.join(dist, 'sql-wasm.wasm')));
}
