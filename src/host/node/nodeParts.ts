import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Platform, SnapshotBuilder, LockOwner, SnapshotRequest } from '../platform.ts';
import { isAlive } from './liveProcesses.ts';
import { NodeFiles } from './nodeFiles.ts';
import { hostname } from 'node:os';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

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

export async function sqliteWasm(dist: string): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await readFile(path.join(dist, 'sql-wasm.wasm')));
}

export function thisProcess(): LockOwner {
  return { pid: process.pid, host: hostname(), isAlive };
}

/** The worker's message when it is done. */
export const snapshotReply = z.object({ size: z.number().int().positive() });

/** Makes each snapshot in a separate thread, which ends afterwards and frees its memory. */
class SnapshotWorker implements SnapshotBuilder {
  constructor(private readonly script: string) {}

  async build(request: SnapshotRequest, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    // Flags of this program, such as those of a debugger, must not apply to the worker.
    const worker = new Worker(this.script, { workerData: request, execArgv: [] });
    // Does not keep a program running: the source files of the snapshot all still exist.
    worker.unref();
    const stop = (): void => void worker.terminate();
    signal.addEventListener('abort', stop);
    try {
      const reply = await new Promise<unknown>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => {
          reject(new Error('The snapshot was not finished.'));
        });
      });
      return snapshotReply.parse(reply).size;
    } finally {
      signal.removeEventListener('abort', stop);
      // The worker must not write any more when another writer begins.
      await worker.terminate();
    }
  }
}
