import { Sequencer } from '../../kit/sequencer.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { Scheduler } from '../scheduler.ts';

/**
 * Keeps parallel runs on one server from being refused together repeatedly. Once the server asks one of them to wait,
 * all wait that long, and then send one at a time: the next when the previous one was accepted.
 */
export class RequestPace {
  private readonly queue = new Sequencer();
  private isLimited = false;
  private until = 0;

  constructor(private readonly scheduler: Scheduler) {}

  /** Begins a request when allowed. @throws the reason of the signal */
  async begin<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!this.isLimited) return request();
    return this.queue.run(async () => {
      signal.throwIfAborted();
      for (let left = this.left(); left > 0; left = this.left()) await pause(left, signal, this.scheduler);
      return request();
    });
  }

  /** The server refused a request and must be left alone for this many milliseconds. */
  limit(delay: number): void {
    this.isLimited = true;
    this.until = Math.max(this.until, this.scheduler.now() + delay);
  }

  private left(): number {
    return this.until - this.scheduler.now();
  }
}

/** Waits, unless the signal fires. @throws the reason of the signal */
export async function pause(delay: number, signal: AbortSignal, scheduler: Scheduler): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer: Disposable = scheduler.after(delay, () => resolve(undefined));
  const stop = (): void => resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  await promise;
  timer.dispose();
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}
