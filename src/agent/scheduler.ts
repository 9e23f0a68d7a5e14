import type { Disposable } from '../kit/disposable.ts';

/** Time, as far as runs need it; tests hand in one they move themselves. */
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
