/** The scrolling element of the conversation. */
const SCROLLER = '.scroller';

/**
 * Notifies which elements are near the viewport of their scrolling element. The page's own edges would not do: in a
 * cross-origin frame, as a webview is, root margins are ignored.
 */
export class ScrollObserver {
  private readonly observers = new Map<Element | null, IntersectionObserver>();

  /** @param margin as in CSS: the distance that counts as near */
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
