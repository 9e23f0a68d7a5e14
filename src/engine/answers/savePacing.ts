/**
 * How much all saves of an answer may write together, as a multiple of its length: while it grows, and in a pause. The
 * difference is left for pauses, so that what comes before a long one is soon stored.
 */
const GROWING = 16;
const PAUSED = 32;

/** What they may write in addition, in UTF-16 units: a short answer is stored as often as it can be. */
const ALLOWANCE = 65_536;

/**
 * Decides whether a growing answer may be stored now. A save writes all of it; unless each of them waited until the
 * answer has grown by a fraction of itself, together they would write the square of its length.
 */
export class SavePacing {
  private written = 0;

  /** @param length of the answer, in UTF-16 units @param isGrowing whether more of it came since it was last asked */
  allows(length: number, isGrowing: boolean): boolean {
    return this.written + length <= length * (isGrowing ? GROWING : PAUSED) + ALLOWANCE;
  }

  saved(length: number): void {
    this.written += length;
  }
}
