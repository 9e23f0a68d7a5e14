/** Work in the background that is waited for. */
export interface BackgroundTimer {
  stop(): void;
}

/** Does something again and again. A program that has nothing else to do ends all the same. */
export function every(milliseconds: number, work: () => void): BackgroundTimer {
  const timer = setInterval(work, milliseconds);
  letGo(timer);
  return { stop: () => clearInterval(timer) };
}

/** Does something later. A program that has nothing else to do ends all the same, and it is never done. */
export function later(milliseconds: number, work: () => void): BackgroundTimer {
  const timer = setTimeout(work, milliseconds);
  letGo(timer);
  return { stop: () => clearTimeout(timer) };
}

/** Resolves after a while, for which a program goes on. */
export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Keeps the program from ending before something is done that only the background has in hand, such as a thread. */
export async function untilDone<T>(work: Promise<T>): Promise<T> {
  const hold = setInterval(() => undefined, LONGEST_MS);
  try {
    return await work;
  } finally {
    clearInterval(hold);
  }
}

/** The longest that timers can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** In Node a timer keeps the process from ending unless it is unreferenced; elsewhere it is a mere number. */
function letGo(timer: unknown): void {
  if (isLiving(timer)) timer.unref();
}

function isLiving(timer: unknown): timer is { unref(): void } {
  const isObject = typeof timer === 'object' && timer !== null;
  return isObject && 'unref' in timer && typeof timer.unref === 'function';
}
