/** An object with resources to release; disposing it twice is safe. */
export interface Disposable {
  /** Releases the resources. */
  dispose(): void;
}

/** Subscribes `listener`; dispose the result to unsubscribe. */
export type Event<T> = (listener: (event: T) => void) => Disposable;

/** Holds objects that are disposed together. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private isDisposed = false;

  /** Takes ownership of `item`; a disposed store disposes it at once. @returns `item` */
  add<T extends Disposable>(item: T): T {
    if (this.isDisposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  /** Takes ownership of all of them, as `add` does. */
  addAll(...items: readonly Disposable[]): void {
    for (const item of items) this.add(item);
  }

  /**
   * Disposes everything once, in reverse order: later objects may need earlier ones.
   * @throws the error of an item, after all were disposed; an AggregateError for several
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
