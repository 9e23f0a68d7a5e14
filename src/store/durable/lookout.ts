import { Sequencer } from '../../kit/sequencer.ts';
import { every, type BackgroundTimer } from '../../platform/timers.ts';

/** How often a reader looks for changes, and whether it can become the writer. */
const FOLLOW_MS = 500;

/** Looks at what others write, one look after the other. */
export class Lookout {
  private readonly looking = new Sequencer();
  private timer: BackgroundTimer | undefined;
  private isBusy = false;

  /** @param onError gets what goes wrong where nobody waits for it */
  constructor(
    private readonly look: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Looks again and again from now on. */
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

  /** Does something while nobody looks. */
  between(work: () => Promise<void>): Promise<void> {
    return this.looking.run(work);
  }

  /** Resolves once nobody looks any more. */
  idle(): Promise<void> {
    return this.looking.idle();
  }
}
