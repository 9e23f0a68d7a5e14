/** The distance above and below the viewport that counts as near. */
const MARGIN = '800px 0px';

export class Nearness {
  private readonly waiting = new Map<Element, () => void>();
  private readonly observer = new ScrollObserver(MARGIN, (target, isNear) => {
    if (isNear) this.take(target)?.();
  });

  /** Calls back once when the element is near. @returns cancels the callback */
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

const SCROLLER = '.scroller';

/** The page's own edges would not do: in a cross-origin frame, as a webview is, root margins are ignored. */
class ScrollObserver {
  private readonly observers = new Map<Element | null, IntersectionObserver>();

  constructor(
    private readonly margin: string,
    private readonly tell: (target: Element, isNear: boolean) => void,
  ) {}

  observe(element: Element): void {
    const scroller = element.closest(SCROLLER);
    for (const [root, observer] of this.observers) {
      if (!root || root.isConnected) continue;
      observer.disconnect();
      this.observers.delete(root);
    }
    const observer = this.observers.get(scroller) ?? this.observerIn(scroller);
    this.observers.set(scroller, observer);
    observer.observe(element);
  }

  unobserve(element: Element): void {
    for (const observer of this.observers.values()) observer.unobserve(element);
  }

  private observerIn(root: Element | null): IntersectionObserver {
    return new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) this.tell(target, isIntersecting);
      },
      { root, rootMargin: this.margin },
    );
  }
}
