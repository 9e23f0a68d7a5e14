import { ScrollObserver } from './scrollObserver.ts';

/** Further above or below what one sees, a message keeps its place and nothing else. */
const FAR = '10000px 0px';

/** Tells of messages whether they are far from what one sees, so that a long way up leaves no weight behind. */
export class Distance {
  private readonly listeners = new Map<Element, (isFar: boolean) => void>();
  private readonly observer = new ScrollObserver(FAR, (target, isNear) =>
    this.listeners.get(target)?.(!isNear),
  );

  /** @returns what ends the watching */
  watch(element: Element, listener: (isFar: boolean) => void): () => void {
    this.listeners.set(element, listener);
    this.observer.observe(element);
    return () => {
      this.listeners.delete(element);
      this.observer.unobserve(element);
    };
  }
}
