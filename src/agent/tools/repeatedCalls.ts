/** After this many identical calls in a row, the next is not expected to return anything new. */
const MAX_IN_A_ROW = 3;

export interface CallAsked {
  readonly toolName: string;
  readonly input: unknown;
}

export interface RepeatedCall {
  readonly toolName: string;
  /** How many times in a row. */
  readonly count: number;
}

export class RepeatedCalls {
  private last = '';
  private inARow = 0;

  /** @param calls those of one step, in order */
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
