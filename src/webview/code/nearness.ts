import { ScrollObserver } from '../state/scrollObserver.ts';

/** The distance above and below the viewport that counts as near. */
const MARGIN = '800px 0px';

/** Notifies when an element comes near the viewport. */
export class Nearness {
  private readonly waiting = new Map<Element, () => void>();
  private readonly observer = new ScrollObserver(MARGIN, (target, isNear) => {
    if (isNear) this.take(target)?.();
  });

  /**
   * Calls back once when the element is near.
   * @returns cancels the callback
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
