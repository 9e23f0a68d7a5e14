/** The last moment that a `Date` can hold, in milliseconds since 1970. */
export const LAST_TIME = 8.64e15;

/**
 * A moment that can be shown and compared, made of one that may be made up: within what a `Date` holds, and whole.
 * @param latest what comes later counts as this
 */
export function validTime(time: number, latest = LAST_TIME): number {
  return Number.isFinite(time) ? Math.trunc(Math.min(Math.max(time, 0), latest)) : latest;
}
