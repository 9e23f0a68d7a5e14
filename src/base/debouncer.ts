import type { Disposable } from './disposable.ts';
import { Sequencer } from './sequencer.ts';

/** Gathers changes (one action makes several) and refreshes in order: an older state never replaces a newer one. */
export class Debouncer implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly showings = new Sequencer();

  /** @param show reports its errors itself */
  constructor(
    private readonly gatherMs: number,
    private readonly show: () => Promise<void>,
  ) {}

  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.now();
    }, this.gatherMs);
  }

  /** Runs after a refresh already in progress. */
  now(): Promise<void> {
    return this.showings.run(this.show);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
