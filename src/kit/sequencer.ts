/** Runs tasks one after the other, in the order they came. */
export class Sequencer {
  private last: Promise<void> = Promise.resolve();

  /**
   * Runs `task` once all tasks given before have ended, whether they failed or not.
   * @returns what `task` resolves to; its failure is its caller's alone
   */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.then(nothing, nothing);
    return result;
  }

  /** Resolves once every task given so far has ended. Never rejects. */
  idle(): Promise<void> {
    return this.last;
  }
}

/** Keeps nothing of a result, so that a large one is not held until the next task ends. */
function nothing(): void {
  // The caller of the task has its result and its failure.
}
