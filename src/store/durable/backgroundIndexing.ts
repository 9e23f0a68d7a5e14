import type { Disposable } from '../../kit/disposable.ts';
import { later, type BackgroundTimer } from '../../platform/timers.ts';
import type { Connection } from '../connection.ts';

/** What was repeated from journals is made found in steps of so long, so far apart, in milliseconds. */
const STEP_MS = 15;
const PAUSE_MS = 60;

/** Completes the index of words step by step. A search that does not want to wait for that completes it at once. */
export class BackgroundIndexing implements Disposable {
  private timer: BackgroundTimer | undefined;
  private isDisposed = false;

  /** @param connection the one that is used then: it changes when memory is read anew */
  constructor(
    private readonly connection: () => Pick<Connection, 'completeIndex'>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Goes on until the index is whole. */
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
