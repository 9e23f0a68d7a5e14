export { every, later, type BackgroundTimer } from '../base/backgroundTimers.ts';

/** Resolves after a while, and keeps the program running until then. */
export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Keeps the program running until work done only in the background, as by a thread or another process, is finished. */
export async function untilDone<T>(work: Promise<T>): Promise<T> {
  const hold = setInterval(() => undefined, LONGEST_MS);
  try {
    return await work;
  } finally {
    clearInterval(hold);
  }
}

/** The longest delay that timers support. */
const LONGEST_MS = 2 ** 31 - 1;
