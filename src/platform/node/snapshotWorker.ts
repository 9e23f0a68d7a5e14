import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { SnapshotBuilder, SnapshotRequest } from '../snapshots.ts';

/** The worker's message when it is done. */
export const snapshotReply = z.object({ size: z.number().int().positive() });

/** Makes each snapshot in a separate thread, which ends afterwards and frees its memory. */
export class SnapshotWorker implements SnapshotBuilder {
  /** @param script the built worker */
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
