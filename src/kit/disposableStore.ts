import type { Disposable } from './disposable.ts';

/** Holds what is to be disposed together. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private isDisposed = false;

  /** Takes `item` over; a store that is disposed already disposes it at once. @returns `item` */
  add<T extends Disposable>(item: T): T {
    if (this.isDisposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  /** Takes all of them over, as `add` does. */
  addAll(...items: readonly Disposable[]): void {
    for (const item of items) this.add(item);
  }

  /**
   * Disposes everything once, in reverse order: what was made later may need what was made before.
   * @throws what an item threw, after all were disposed; an AggregateError when several did
   */
  dispose(): void {
    this.isDisposed = true;
    const items = [...this.items].reverse();
    this.items.clear();
    const errors: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several things could not be disposed.');
    if (errors.length > 0) throw errors[0];
  }
}
