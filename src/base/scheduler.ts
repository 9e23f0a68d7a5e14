import type { Disposable } from './disposable.ts';

/** The clock that runs use; tests pass one they control. */
export interface Scheduler {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `callback` once after `delay` milliseconds unless disposed before. */
  after(delay: number, callback: () => void): Disposable;
}

export const systemScheduler: Scheduler = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, delay);
    return { dispose: () => clearTimeout(timer) };
  },
};
