/**
 * What waits for a save, in two layers: what is on its way, and what came since. Whoever adds while a save runs adds to
 * the second, so that the save can neither take it along half nor forget it.
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

  /** What may be added to. */
  get open(): T {
    return this.waiting;
  }

  /** What is on its way. */
  get onItsWay(): T {
    return this.leaving;
  }

  /** Both, as they would be saved together. */
  get all(): T {
    return this.merged(this.leaving, this.waiting);
  }

  /** What waits is on its way now. */
  begin(): void {
    this.leaving = this.waiting;
    this.waiting = this.empty();
  }

  /** What was on its way waits again, before what came since. */
  rollBack(): void {
    this.waiting = this.all;
    this.leaving = this.empty();
  }

  /** What was on its way has arrived, and is forgotten. */
  commit(): T {
    const { leaving } = this;
    this.leaving = this.empty();
    return leaving;
  }
}
