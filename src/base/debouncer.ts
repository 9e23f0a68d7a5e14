import type { Disposable } from './disposable.ts';
import { Sequencer } from './sequencer.ts';

/**
 * Refreshes a view after changes: changes are gathered for a moment, because one action makes several, and refreshes
 * run one after the other, so that an older state never replaces a newer one.
 */
export class Debouncer implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly showings = new Sequencer();

  /**
   * @param gatherMs how long changes are gathered, in milliseconds
   * @param show reports its errors itself
   */
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
