import { Sequencer } from '../../kit/sequencer.ts';
import { every, type BackgroundTimer } from '../../platform/timers.ts';

/** How often a reader checks for changes, and whether it can become the writer. */
const FOLLOW_MS = 500;

/** Checks for changes of other processes, one check after the other. */
export class Lookout {
  private readonly looking = new Sequencer();
  private timer: BackgroundTimer | undefined;
  private isBusy = false;

  /** @param onError receives errors that no caller waits for */
  constructor(
    private readonly look: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Starts periodic checks. */
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

  /** Resolves once no check runs. */
  idle(): Promise<void> {
    return this.looking.idle();
  }
}
