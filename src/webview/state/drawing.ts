/** How long what came in has had to be drawn before it is asked whether it is, in milliseconds. */
const PAUSE_MS = 400;

/**
 * Tells when all that came in is drawn, and the page still answers: what a page does not survive is never reported. While
 * more comes in, it is reported about twice a second.
 */
export class Drawing {
  private isWaiting = false;

  /**
   * @param isIdle nothing is left to be laid out or coloured
   * @param done is called after that was painted
   */
  constructor(
    private readonly isIdle: () => boolean,
    private readonly done: () => void,
  ) {}

  /** Something has come in that will be drawn. */
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

/** No frame comes while the window is hidden, where nothing is painted either. */
function nextFrame(then: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(then);
  else requestAnimationFrame(then);
}
