/** Runs tasks one after the other, in the order they were added. */
export class Sequencer {
  private last: Promise<void> = Promise.resolve();

  /** A task that fails does not stop later ones; only its caller gets its error. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.then(nothing, nothing);
    return result;
  }

  /** Resolves once every task added so far has ended. Never rejects. */
  idle(): Promise<void> {
    return this.last;
  }
}

/** Discards the result, so that a large one is not held until the next task ends. */
function nothing(): void {
  // The caller of the task gets its result and its error.
}
