export interface BackgroundTimer {
  stop(): void;
}

/** Does not keep a program running. */
export function every(milliseconds: number, work: () => void): BackgroundTimer {
  const timer = setInterval(work, milliseconds);
  letGo(timer);
  return { stop: () => clearInterval(timer) };
}

/** Does not keep a program running, in which case the work never runs. */
export function later(milliseconds: number, work: () => void): BackgroundTimer {
  const timer = setTimeout(work, milliseconds);
  letGo(timer);
  return { stop: () => clearTimeout(timer) };
}

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

/** In Node a timer keeps the process running unless it is unreferenced; elsewhere it is a plain number. */
function letGo(timer: unknown): void {
  if (isLiving(timer)) timer.unref();
}

function isLiving(timer: unknown): timer is { unref(): void } {
  const isObject = typeof timer === 'object' && timer !== null;
  return isObject && 'unref' in timer && typeof timer.unref === 'function';
}
