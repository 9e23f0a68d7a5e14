/** Something that can be let go of; letting go twice does no harm. */
export interface Disposable {
  /** Lets go of it. */
  dispose(): void;
}

/** Subscribes `listener`; dispose the result to unsubscribe. */
export type Event<T> = (listener: (event: T) => void) => Disposable;
