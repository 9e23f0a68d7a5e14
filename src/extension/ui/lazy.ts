import * as vscode from 'vscode';
import type { Disposable } from '../../kit/disposable.ts';
import { notify } from './notifications.ts';

/** A value that is created on first use. */
export class Lazy<T extends Disposable> implements Disposable {
  private making: Promise<T> | undefined;
  private made: T | undefined;
  private isDisposed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param make reports its own failure here */
  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly make: () => Promise<T>,
  ) {}

  /** The value, if it exists. */
  get existing(): T | undefined {
    return this.made;
  }

  get(): Promise<T> {
    clearTimeout(this.timer);
    return (this.making ??= this.tryToMake());
  }

  /** Creates it after this many milliseconds, even if it was not requested. */
  within(ms: number): void {
    clearTimeout(this.timer);
    if (!this.making && !this.isDisposed)
      this.timer = setTimeout(() => void this.get().catch(() => undefined), ms);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.made?.dispose();
  }

  private async tryToMake(): Promise<T> {
    try {
      this.made = await this.make();
      if (this.isDisposed) this.made.dispose();
      return this.made;
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      const text = vscode.l10n.t(
        'Offshoot could not start. The log says why; reload the window to try again.',
      );
      void notify.error(text);
      throw error;
    }
  }
}
