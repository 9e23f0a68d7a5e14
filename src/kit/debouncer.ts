import type { Disposable } from './disposable.ts';
import { Sequencer } from './sequencer.ts';

/**
 * Shows anew what has changed: changes are gathered for a moment, because one action makes several, and one showing
 * follows the other, because an older picture must not come after a newer one.
 */
export class Debouncer implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly showings = new Sequencer();

  /**
   * @param gatherMs how long changes are gathered, in milliseconds
   * @param show tells its failures itself
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

  /** After whatever is being shown already. */
  now(): Promise<void> {
    return this.showings.run(this.show);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
