import type { Disposable, Event } from './disposable.ts';

/** Calls listeners in order of subscription. A listener that throws does not prevent calls of the others. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(event: T) => void>();

  /** @param onError receives errors of listeners; without it, the error is rethrown asynchronously. */
  constructor(private readonly onError: (error: unknown) => void = throwLater) {}

  readonly event: Event<T> = (listener) => {
    const own = (event: T): void => listener(event);
    this.listeners.add(own);
    return { dispose: () => void this.listeners.delete(own) };
  };

  /** Calls every listener. */
  fire(event: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  /** Removes all listeners. */
  dispose(): void {
    this.listeners.clear();
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
