/**
 * Pending items in two layers: those being saved, and those added since. Items added during a save go to the second
 * layer, so that the save can neither store them partially nor forget them.
 */
export class Layers<T> {
  private waiting: T;
  private leaving: T;

  constructor(
    private readonly empty: () => T,
    private readonly merged: (earlier: T, later: T) => T,
  ) {
    this.waiting = empty();
    this.leaving = empty();
  }

  /** The layer that new items are added to. */
  get open(): T {
    return this.waiting;
  }

  /** The items being saved. */
  get onItsWay(): T {
    return this.leaving;
  }

  /** Both layers, as they would be saved together. */
  get all(): T {
    return this.merged(this.leaving, this.waiting);
  }

  /** Pending items are now being saved. */
  begin(): void {
    this.leaving = this.waiting;
    this.waiting = this.empty();
  }

  /** Items being saved are pending again, before those added since. */
  rollBack(): void {
    this.waiting = this.all;
    this.leaving = this.empty();
  }

  /** Forgets the items that were saved. */
  commit(): T {
    const { leaving } = this;
    this.leaving = this.empty();
    return leaving;
  }
}
