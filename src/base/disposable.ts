/** An object with resources to release; disposing it twice is safe. */
export interface Disposable {
  /** Releases the resources. */
  dispose(): void;
}

/** Subscribes `listener`; dispose the result to unsubscribe. */
export type Event<T> = (listener: (event: T) => void) => Disposable;
