/** The last moment that a `Date` can hold, in milliseconds since 1970. */
export const LAST_TIME = 8.64e15;

/** A whole, valid time, from one that may be invalid. @param latest later times count as this */
export function validTime(time: number, latest = LAST_TIME): number {
  return Number.isFinite(time) ? Math.trunc(Math.min(Math.max(time, 0), latest)) : latest;
}
