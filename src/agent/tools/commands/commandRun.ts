import type { Wall } from '../../../host/sandbox.ts';
import { CommandOutput } from './commandOutput.ts';

export interface CommandStart {
  readonly chatId: string;
  readonly command: string;
  /** The URI of the folder it runs in. */
  readonly folder: string;
  /** What it is started behind; left out: it can do all that the user can. */
  readonly wall?: Pick<Wall, 'start'> | undefined;
  /** What its terminal is called; left out: as all are. */
  readonly title?: string | undefined;
  /** Its output, including terminal codes. */
  readonly onOutput: (text: string) => void;
}

export interface StartedCommand {
  /** Its exit code; null when it was killed, or it is unknown. */
  readonly ended: Promise<number | null>;
  stop(): void;
  show(): void;
}

/** A command that the agent runs, or ran in this window. */
export class CommandRun {
  readonly id = crypto.randomUUID().slice(0, 8);
  readonly output = new CommandOutput();
  private startedAt = performance.now();
  private heardAt = performance.now();
  private left = Promise.withResolvers<'left'>();
  private readonly ended = Promise.withResolvers<'ended'>();
  private started: StartedCommand | undefined;
  private end: { readonly exitCode: number | null; readonly duration: number } | undefined;
  private wasStopped = false;
  onMore: (() => void) | undefined;

  constructor(
    readonly chatId: string,
    /** What it is behind; undefined: it runs without a sandbox. */
    readonly wall?: Wall,
  ) {}

  add(text: string): void {
    this.heardAt = performance.now();
    this.output.add(text);
    this.onMore?.();
  }

  begin(started: StartedCommand): void {
    this.started = started;
    this.startedAt = performance.now();
    this.heardAt = this.startedAt;
    void started.ended.then((exitCode) => this.finish(exitCode));
    if (this.wasStopped) started.stop();
  }

  /** It has ended, or could not start. */
  finish(exitCode: number | null): void {
    this.end ??= { exitCode, duration: performance.now() - this.startedAt };
    this.ended.resolve('ended');
  }

  /** How it ended; undefined while it runs. */
  get ending(): { readonly exitCode: number | null; readonly wasStopped: boolean } | undefined {
    return this.end && { exitCode: this.end.exitCode, wasStopped: this.wasStopped };
  }

  /** How long it ran, or has been running, in milliseconds. */
  get duration(): number {
    return this.end?.duration ?? performance.now() - this.startedAt;
  }

  /** For how long it has written nothing, in milliseconds; 0 once it has ended. */
  get quietFor(): number {
    return this.end ? 0 : performance.now() - this.heardAt;
  }

  /** Waits for its end: at most `milliseconds`, until the user leaves it running, or the signal fires. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<'ended' | 'late' | 'left' | 'aborted'> {
    const { promise, resolve } = Promise.withResolvers<'late' | 'aborted'>();
    const timer = setTimeout(() => resolve('late'), milliseconds);
    const abort = (): void => resolve('aborted');
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([this.ended.promise, promise, this.left.promise]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // The next wait lasts until it is left again.
      this.left = Promise.withResolvers<'left'>();
    }
  }

  /** Kills it, and resolves when it has ended. */
  async stop(): Promise<void> {
    if (this.end) return;
    this.wasStopped = true;
    this.started?.stop();
    await this.ended.promise;
  }

  /** Ends the waiting for it, or the next if nobody waits; it keeps running. */
  leave(): void {
    this.left.resolve('left');
  }

  show(): void {
    this.started?.show();
  }
}
