import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { SnapshotBuilder, SnapshotRequest } from '../snapshots.ts';

/** What the worker says when it is done. */
export const snapshotReply = z.object({ size: z.number().int().positive() });

/** Makes each snapshot in a thread of its own, which ends with it: its memory is then free again. */
export class SnapshotWorker implements SnapshotBuilder {
  /** @param script the built worker */
  constructor(private readonly script: string) {}

  async build(request: SnapshotRequest, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    // Flags of this program, such as those of a debugger, are not for the worker.
    const worker = new Worker(this.script, { workerData: request, execArgv: [] });
    // A program that has nothing else to do ends all the same: the files it is made from are all there.
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
      // Nothing of it may still write when somebody else begins to.
      await worker.terminate();
    }
  }
}
