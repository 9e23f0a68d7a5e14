/** Drawing may take at most one part in this many of the time. The rest is for typing and scrolling. */
const SHARE = 3;

/**
 * Batches input per frame: a fast model sends more often than a screen can show. Where drawing is slow, because an
 * answer is huge, batches are less frequent.
 */
export class FrameQueue<T> {
  private queued: T[] = [];
  private isWaiting = false;
  /** When the page may be drawn again, as `performance.now()`. */
  private notBefore = 0;

  constructor(private readonly handle: (items: readonly T[]) => void) {}

  add(item: T): void {
    this.queued.push(item);
    if (!this.isWaiting) this.wait();
  }

  /** Delivers the queue at once. */
  flush(): void {
    const items = this.queued;
    if (items.length === 0) return;
    this.queued = [];
    const start = performance.now();
    this.handle(items);
    // A message is handled after the frame in which it was posted has been drawn.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const end = performance.now();
      this.notBefore = end + (end - start) * (SHARE - 1);
      port1.close();
    };
    port2.postMessage(undefined);
  }

  private wait(): void {
    this.isWaiting = true;
    requestAnimationFrame((now) => {
      this.isWaiting = false;
      if (this.queued.length === 0) return;
      if (now < this.notBefore) this.wait();
      else this.flush();
    });
  }
}
