/** In milliseconds, as most systems have it. */
const LONGEST = 500;

/** VS Code runs the command of a row on a click, and once more on a double click. */
export class DoubleClicks {
  private last: { readonly row: string; readonly at: number } | undefined;

  /** Whether the row was clicked just before; a third click begins again. */
  isSecond(row: string, now: number): boolean {
    const isSecond = this.last?.row === row && now - this.last.at <= LONGEST;
    this.last = isSecond ? undefined : { row, at: now };
    return isSecond;
  }
}
