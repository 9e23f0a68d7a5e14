/** How long received content may be drawn before its completion is checked, in milliseconds. */
const PAUSE_MS = 400;

/** Reports when all received content is drawn and the page responds, about twice a second while it arrives. */
export class Drawing {
  private isWaiting = false;

  /** @param done is called after painting */
  constructor(
    private readonly isIdle: () => boolean,
    private readonly done: () => void,
  ) {}

  begin(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.wait();
  }

  private wait(): void {
    setTimeout(() => {
      // The second frame begins when the first one is painted.
      nextFrame(() =>
        nextFrame(() => {
          if (!this.isIdle()) {
            this.wait();
            return;
          }
          this.isWaiting = false;
          this.done();
        }),
      );
    }, PAUSE_MS);
  }
}

/** There are no frames while the window is hidden, and nothing is painted either. */
function nextFrame(then: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(then);
  else requestAnimationFrame(then);
}

/** Drawing may take at most one part in this many of the time. The rest is for typing and scrolling. */
const SHARE = 3;

/** A fast model sends more often than a screen can show; where drawing is slow, batches are less frequent. */
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
