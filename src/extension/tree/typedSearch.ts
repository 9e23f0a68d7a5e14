import type { Disposable } from '../../base/disposable.ts';
import type { Scheduler } from '../../base/scheduler.ts';

/** The rest in typing after which a first search begins, and the pause after which the whole one does, in milliseconds. */
const REST_MS = 80;
const PAUSE_MS = 300;

export interface TypedSearchOptions<T> {
  /** @param isTyping a first search, which is to be quick */
  readonly find: (query: string, isTyping: boolean) => Promise<readonly T[]>;
  /** @param isWhole false: there may be more once the user pauses */
  readonly show: (found: readonly T[], isWhole: boolean) => void;
  readonly failed: (error: unknown) => void;
  readonly scheduler: Scheduler;
}

/** Searches for what is being typed: at each rest quickly for the words as they are, and wholly in a pause. */
export class TypedSearch<T> implements Disposable {
  private timer: Disposable | undefined;
  private typed: string | undefined;

  constructor(private readonly options: TypedSearchOptions<T>) {}

  type(query: string): void {
    this.typed = query;
    this.after(REST_MS, () => this.search(query, true));
  }

  dispose(): void {
    this.typed = undefined;
    this.timer?.dispose();
  }

  private async search(query: string, isTyping: boolean): Promise<void> {
    const found = await this.options.find(query, isTyping);
    // A newer one supersedes it.
    if (this.typed !== query) return;
    const isWhole = !isTyping || query.trim() === '';
    this.options.show(found, isWhole);
    if (!isWhole) this.after(PAUSE_MS - REST_MS, () => this.search(query, false));
  }

  private after(delay: number, work: () => Promise<void>): void {
    this.timer?.dispose();
    this.timer = this.options.scheduler.after(delay, () => void work().catch(this.options.failed));
  }
}
