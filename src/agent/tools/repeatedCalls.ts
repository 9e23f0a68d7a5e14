/** So many calls of one tool with one input in a row, and nothing new is to be expected of the next. */
const MAX_IN_A_ROW = 3;

/** A call as it was asked for. */
export interface CallAsked {
  readonly toolName: string;
  readonly input: unknown;
}

/** A call that was made again and again. */
export interface RepeatedCall {
  readonly toolName: string;
  /** How often in a row. */
  readonly count: number;
}

/** Notices when a model calls the same tool with the same input again and again. */
export class RepeatedCalls {
  private last = '';
  private inARow = 0;

  /**
   * @param calls those of one step, in their order
   * @returns the tool that is called again and again, and how often it was
   */
  next(calls: readonly CallAsked[]): RepeatedCall | undefined {
    for (const { toolName, input } of calls) {
      const call = JSON.stringify([toolName, input]);
      this.inARow = call === this.last ? this.inARow + 1 : 1;
      this.last = call;
    }
    const last = calls.at(-1);
    return last && this.inARow >= MAX_IN_A_ROW ? { toolName: last.toolName, count: this.inARow } : undefined;
  }
}
