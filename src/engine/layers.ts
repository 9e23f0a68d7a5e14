/** Pending items in two layers: those being saved, and those added since, which a save neither stores nor forgets. */
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

  commit(): T {
    const { leaving } = this;
    this.leaving = this.empty();
    return leaving;
  }
}
