/** How long received content may be drawn before its completion is checked, in milliseconds. */
const PAUSE_MS = 400;

/**
 * Reports when all received content is drawn and the page still responds: a page that crashes never reports it. While
 * content arrives, this happens about twice a second.
 */
export class Drawing {
  private isWaiting = false;

  /**
   * @param isIdle nothing is left to be laid out or colored
   * @param done is called after painting
   */
  constructor(
    private readonly isIdle: () => boolean,
    private readonly done: () => void,
  ) {}

  /** Content has arrived that will be drawn. */
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
