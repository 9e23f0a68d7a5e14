import type { Disposable } from '../../base/disposable.ts';
import type { Scheduler } from '../../base/scheduler.ts';

/** The longest that unsaved text waits while an answer is short. */
const INTERVAL = 1_000;
/** This much unsaved text (UTF-16 units) is saved immediately. */
const STEP = 4_096;
/**
 * A save writes the whole draft, so a long one waits until it has grown by this fraction: all saves of an answer
 * together then write a constant multiple of its length, not its square.
 */
const GROWTH = 1 / 16;

export interface DraftSaverOptions {
  readonly length: () => number;
  readonly save: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly scheduler: Scheduler;
}

/** Decides when the draft of a streaming answer is written, so that a crash loses at most a second of it. */
export class DraftSaver implements Disposable {
  private readonly options: DraftSaverOptions;
  private savedLength = 0;
  private timer: Disposable | undefined;
  private saving: Promise<void> | undefined;
  private isDisposed = false;

  constructor(options: DraftSaverOptions) {
    this.options = options;
  }

  grown(): void {
    if (this.isDisposed || this.saving !== undefined || !this.hasGrownEnough()) return;
    if (this.unsaved >= STEP) this.save();
    else this.timer ??= this.options.scheduler.after(INTERVAL, () => this.save());
  }

  /** Starts no further save; resolves when a running one has ended. */
  async stop(): Promise<void> {
    this.dispose();
    await this.saving;
  }

  dispose(): void {
    this.isDisposed = true;
    this.cancelTimer();
  }

  private get unsaved(): number {
    return this.options.length() - this.savedLength;
  }

  private hasGrownEnough(): boolean {
    const needed = this.savedLength < STEP / GROWTH ? 1 : this.savedLength * GROWTH;
    return this.unsaved >= needed;
  }

  private cancelTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private save(): void {
    this.cancelTimer();
    this.savedLength = this.options.length();
    this.saving = this.options.save().then(
      () => this.ended(),
      (error: unknown) => {
        this.options.onError(error);
        this.ended();
      },
    );
  }

  private ended(): void {
    this.saving = undefined;
    if (this.unsaved > 0) this.grown();
  }
}
