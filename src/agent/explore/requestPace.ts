import { Sequencer } from '../../kit/sequencer.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { Scheduler } from '../scheduler.ts';

/**
 * Keeps runs that ask one server at once from being refused together again and again. Once the server asked one of them
 * for patience, all wait for as long, and then ask one after the other: the next when the one before was let in.
 */
export class RequestPace {
  private readonly queue = new Sequencer();
  private isLimited = false;
  private until = 0;

  constructor(private readonly scheduler: Scheduler) {}

  /** Begins a request when it may begin. @throws the reason of the signal */
  async begin<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!this.isLimited) return request();
    return this.queue.run(async () => {
      signal.throwIfAborted();
      for (let left = this.left(); left > 0; left = this.left()) await pause(left, signal, this.scheduler);
      return request();
    });
  }

  /** The server refused one for now, and is to be left alone for so many milliseconds. */
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
