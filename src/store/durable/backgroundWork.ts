import { Sequencer } from '../../base/sequencer.ts';
import { every, later, type BackgroundTimer } from '../../host/timers.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Connection } from '../sqlite/connection.ts';

/** How often a reader checks for changes, and whether it can become the writer. */
const FOLLOW_MS = 500;

/** Checks for changes of other processes, one check after the other. */
export class Poller {
  private readonly looking = new Sequencer();
  private timer: BackgroundTimer | undefined;
  private isBusy = false;

  /** @param onError receives errors that no caller waits for */
  constructor(
    private readonly look: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.stop();
    this.timer = every(FOLLOW_MS, () => {
      if (this.isBusy) return;
      this.isBusy = true;
      this.now()
        .catch(this.onError)
        .finally(() => {
          this.isBusy = false;
        });
    });
  }

  stop(): void {
    this.timer?.stop();
  }

  now(): Promise<void> {
    return this.between(this.look);
  }

  /** Runs `work` while no check runs. */
  between(work: () => Promise<void>): Promise<void> {
    return this.looking.run(work);
  }

  idle(): Promise<void> {
    return this.looking.idle();
  }
}

/** How long each step of indexing texts from journals takes, and the pause between steps, in milliseconds. */
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
