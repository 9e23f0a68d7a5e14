import * as vscode from 'vscode';
import type { HandedCommand } from '../../host/programs.ts';
import { delay } from '../../host/timers.ts';

export interface TerminalBounds {
  /** How long a terminal may take to begin a command, in milliseconds. */
  readonly beginMs: number;
  /** How long a command may take to react to Ctrl+C before its terminal is closed, and its last output to arrive. */
  readonly graceMs: number;
  /** How often it is looked whether a command goes on: VS Code does not tell of every end. */
  readonly lookMs: number;
}

export const usualBounds: TerminalBounds = { beginMs: 10_000, graceMs: 2_000, lookMs: 1_000 };

/**
 * A command in a terminal. Its files tell how it ended, and VS Code what it wrote: the command itself may write what
 * VS Code takes for its end.
 */
export class TerminalCommand {
  /** Its exit code, once all its output was read; null when it is not known. */
  readonly ended: Promise<number | null>;
  private readonly end = Promise.withResolvers<number | null>();
  private readonly begin = Promise.withResolvers<boolean>();
  private readonly reads: Promise<void>[] = [];
  private readonly looking: ReturnType<typeof setInterval>;
  private lateEnd: ReturnType<typeof setTimeout> | undefined;
  private state: 'runs' | 'is-read' | 'over' = 'runs';
  /** VS Code took it for ended while it went on. */
  private isIncomplete = false;

  constructor(
    private readonly handed: HandedCommand,
    private readonly onOutput: (text: string) => void,
    private readonly bounds: TerminalBounds,
  ) {
    this.ended = this.end.promise;
    this.looking = setInterval(() => void this.look(), bounds.lookMs);
  }

  /** Whether it begins in time. One that does not will not begin later either. */
  async begins(): Promise<boolean> {
    const timer = setTimeout(() => void this.takeBack(), this.bounds.beginMs);
    try {
      return await this.begin.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** VS Code tells that something begins in the terminal. */
  read(execution: vscode.TerminalShellExecution): void {
    if (this.state !== 'runs') return;
    this.begin.resolve(true);
    this.reads.push(this.readAll(execution));
  }

  /** @param isSaidToEnd VS Code tells that something ended in the terminal */
  async look({ isSaidToEnd = false } = {}): Promise<void> {
    if (this.state !== 'runs') return;
    const handed = await this.handed.state().catch((error: unknown) => this.unknown(error));
    if (handed.kind === 'waiting') return;
    this.begin.resolve(true);
    switch (handed.kind) {
      case 'running':
        this.isIncomplete ||= isSaidToEnd;
        return;
      case 'ended':
        if (isSaidToEnd) await this.finish(handed.exitCode);
        // What it wrote last may still be on its way.
        else this.lateEnd ??= setTimeout(() => void this.finish(handed.exitCode), this.bounds.graceMs);
        return;
      case 'gone':
        await this.finish(null);
        return;
    }
  }

  /** Its terminal is closed. */
  async closed(): Promise<void> {
    if (await this.takeBack()) return;
    const handed = await this.handed.state().catch((error: unknown) => this.unknown(error));
    await this.finish(handed.kind === 'ended' ? handed.exitCode : null);
  }

  /** Nobody waits for it any more. */
  abandon(): void {
    this.stopLooking();
    this.state = 'over';
    this.begin.resolve(false);
    this.end.resolve(null);
  }

  private async takeBack(): Promise<boolean> {
    const isBack = await this.handed.takeBack().catch((error: unknown) => {
      this.unknown(error);
      return false;
    });
    if (isBack) this.abandon();
    else this.begin.resolve(true);
    return isBack;
  }

  private async readAll(execution: vscode.TerminalShellExecution): Promise<void> {
    for await (const text of execution.read()) if (this.state !== 'over') this.onOutput(text);
  }

  private async finish(exitCode: number | null): Promise<void> {
    if (this.state !== 'runs') return;
    this.state = 'is-read';
    this.stopLooking();
    await Promise.race([Promise.all(this.reads), delay(this.bounds.graceMs)]);
    if (this.isIncomplete || this.reads.length === 0) {
      this.onOutput(`\n${vscode.l10n.t('[Not all that it wrote could be read. The terminal shows it.]')}\n`);
    }
    this.state = 'over';
    this.end.resolve(exitCode);
    await this.handed.forget().catch((error: unknown) => this.unknown(error));
  }

  private stopLooking(): void {
    clearInterval(this.looking);
    clearTimeout(this.lateEnd);
  }

  /** Its files cannot be read: how it goes is not known any more. */
  private unknown(error: unknown): { readonly kind: 'gone' } {
    if (this.state !== 'over') this.onOutput(`\n${error instanceof Error ? error.message : String(error)}\n`);
    return { kind: 'gone' };
  }
}
