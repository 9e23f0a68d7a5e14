import type { Disposable } from '../../kit/disposable.ts';
import { later, type BackgroundTimer } from '../../platform/timers.ts';
import type { Connection } from '../connection.ts';

/**
 * The duration of each indexing step for messages repeated from journals, and the pause between steps, in
 * milliseconds.
 */
const STEP_MS = 15;
const PAUSE_MS = 60;

/** Completes the word index step by step. A search that does not want to wait completes it at once. */
export class BackgroundIndexing implements Disposable {
  private timer: BackgroundTimer | undefined;
  private isDisposed = false;

  /** @param connection returns the current one: it changes when memory is read from scratch */
  constructor(
    private readonly connection: () => Pick<Connection, 'completeIndex'>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Continues until the index is complete. */
  start(): void {
    this.timer?.stop();
    if (this.isDisposed) return;
    this.timer = later(PAUSE_MS, () => {
      try {
        if (!this.connection().completeIndex(STEP_MS)) this.start();
      } catch (error) {
        this.onError(error);
      }
    });
  }

  dispose(): void {
    this.isDisposed = true;
    this.timer?.stop();
  }
}
