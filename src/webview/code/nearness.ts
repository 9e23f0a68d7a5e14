import { ScrollObserver } from '../state/scrollObserver.ts';

/** How far above and below what one sees counts as near. */
const MARGIN = '800px 0px';

/** Tells when something comes near to what one sees. */
export class Nearness {
  private readonly waiting = new Map<Element, () => void>();
  private readonly observer = new ScrollObserver(MARGIN, (target, isNear) => {
    if (isNear) this.take(target)?.();
  });

  /**
   * Calls back once the element is near, and then no more.
   * @returns what ends the waiting
   */
  wait(element: Element, then: () => void): () => void {
    this.waiting.set(element, then);
    this.observer.observe(element);
    return () => void this.take(element);
  }

  private take(element: Element): (() => void) | undefined {
    const then = this.waiting.get(element);
    this.waiting.delete(element);
    this.observer.unobserve(element);
    return then;
  }
}
