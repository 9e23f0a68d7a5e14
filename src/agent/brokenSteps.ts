/** What a step came to that the model can do over, and what it gets to read about that. */
export interface BrokenStep {
  /** The result of each call that was begun in it. */
  readonly callResult: string;
  /** The same where there is no call whose result could say it. */
  readonly reminder: string;
}

/** How many of them in a row a run goes on after; a model that cannot do better is not asked for ever. */
const MAX_IN_A_ROW = 2;

const CUT_OFF =
  'This call was cut off when the response reached its output limit, and was not carried out. ' +
  'Call again with less at once: write a large file in several parts.';

const UNREADABLE =
  'The last response held a tool call that could not be read, and nothing was carried out. ' +
  'Call the tool again, with arguments that are one valid JSON object.';

/** Steps that ended badly in a way the model can mend by itself, once it knows. */
export class BrokenSteps {
  private inARow = 0;

  /**
   * @param code how the step ended; undefined: well
   * @param callCount how many calls were begun in it
   * @returns what the model gets to read before it continues; undefined when the answer ends, or ended well
   */
  next(code: string | undefined, callCount: number): BrokenStep | undefined {
    const broken = brokenStep(code, callCount);
    this.inARow = broken ? this.inARow + 1 : 0;
    return this.inARow > MAX_IN_A_ROW ? undefined : broken;
  }
}

function brokenStep(code: string | undefined, callCount: number): BrokenStep | undefined {
  if (code === 'output-limit' && callCount > 0) return { callResult: CUT_OFF, reminder: CUT_OFF };
  if (code === 'malformed-call') return { callResult: UNREADABLE, reminder: UNREADABLE };
  return undefined;
}

/** What a call comes to that the answer's end left without a result. */
export function callLeftBy(code: string | undefined): string {
  return code === 'output-limit'
    ? CUT_OFF
    : 'The response ended before this call was complete; it was not carried out.';
}
