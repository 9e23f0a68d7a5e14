import type { Disposable, Event } from './disposable.ts';

/** Calls listeners in the order they came. A listener that throws does not keep the others from being called. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(event: T) => void>();

  /** @param onError gets what a listener throws; without it, the error is thrown again on its own. */
  constructor(private readonly onError: (error: unknown) => void = throwLater) {}

  readonly event: Event<T> = (listener) => {
    const own = (event: T): void => listener(event);
    this.listeners.add(own);
    return { dispose: () => void this.listeners.delete(own) };
  };

  /** Tells every listener. */
  fire(event: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  /** Lets go of all listeners. */
  dispose(): void {
    this.listeners.clear();
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
