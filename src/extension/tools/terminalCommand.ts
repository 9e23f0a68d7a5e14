import * as vscode from 'vscode';
import type { HandedCommand, HandedState } from '../../host/programs.ts';
import { delay } from '../../host/timers.ts';
import { MarkedOutput } from './markedOutput.ts';

export interface TerminalBounds {
  /** How long a terminal may take to begin a command, in milliseconds. */
  readonly beginMs: number;
  /**
   * How long a command may take to react to Ctrl+C before its terminal is closed, and how long its last output is waited
   * for where the mark of its end is not to be expected.
   */
  readonly graceMs: number;
  /** How long nothing of its output may come, once it has ended, where that mark is to be expected. */
  readonly silenceMs: number;
  /** How often it is looked how far a command has come: VS Code does not tell of every end. */
  readonly lookMs: number;
}

export const usualBounds: TerminalBounds = {
  beginMs: 10_000,
  graceMs: 2_000,
  silenceMs: 30_000,
  lookMs: 1_000,
};

interface CommandUse {
  /** Gets its output. */
  readonly onOutput: (text: string) => void;
  /** Has the terminal run the command, which it shows and holds back until then. */
  readonly run: () => void;
}

/**
 * A command in a terminal. Its files tell how it ended, and VS Code what it wrote: the command itself may write what
 * VS Code takes for its end. Either may be known long before the other. All of its output was read when what came from
 * VS Code, without an end between, has both marks of the terminal's own program in it.
 */
export class TerminalCommand {
  /** Its exit code, once all its output was read; null when it is not known. */
  readonly ended: Promise<number | null>;
  private readonly end = Promise.withResolvers<number | null>();
  private readonly begin = Promise.withResolvers<boolean>();
  private readonly output: MarkedOutput;
  private readonly looking: ReturnType<typeof setInterval>;
  private isToldToRun = false;
  /** VS Code took it for ended while it went on, and does not tell what it wrote then. */
  private isCut = false;
  private isOver = false;
  private heardAt = performance.now();
  /** Since when it is known that it has ended. */
  private endedAt: number | undefined;

  constructor(
    private readonly handed: HandedCommand,
    private readonly use: CommandUse,
    private readonly bounds: TerminalBounds,
  ) {
    this.ended = this.end.promise;
    this.output = new MarkedOutput(handed.marks);
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

  /** VS Code tells that something begins in the terminal. What is written is lost to those that do not read at once. */
  read(execution: Pick<vscode.TerminalShellExecution, 'read'>): void {
    if (this.isOver) return;
    void this.readAll(execution);
    if (this.isToldToRun) return;
    this.isToldToRun = true;
    // Even those get nothing of what VS Code's extension host is told in the same turn, and a busy one, or one on another
    // machine, is told of the beginning, the output and the end of a short command in one. So it is run after this turn.
    // https://github.com/microsoft/vscode/blob/main/src/vs/workbench/api/common/extHostTerminalShellIntegration.ts
    void delay(0).then(() => {
      if (!this.isOver) this.use.run();
    });
  }

  /** @param isCut VS Code takes it for ended, and the mark of its end has not come */
  async look({ isCut = false } = {}): Promise<void> {
    if (this.isOver) return;
    const handed = await this.state();
    if (handed.kind === 'waiting') return;
    this.begin.resolve(true);
    if (handed.kind !== 'gone') this.isCut ||= isCut;
    if (handed.kind === 'running') return;
    this.endedAt ??= performance.now();
    const isExpected = handed.kind === 'ended' && !this.isCut;
    const quietFor = performance.now() - Math.max(this.endedAt, this.heardAt);
    const isEnough = quietFor >= (isExpected ? this.bounds.silenceMs : this.bounds.graceMs);
    if (this.output.hasEnded || isEnough) this.finish(exitCodeOf(handed));
  }

  /** Whether it goes on; what it wrote may still be on its way after that. */
  async runs(): Promise<boolean> {
    return !this.isOver && (await this.state()).kind === 'running';
  }

  /** Its terminal is closed: nothing more will come. */
  async closed(): Promise<void> {
    if (await this.takeBack()) return;
    // What has come is taken first.
    await delay(0);
    this.finish(exitCodeOf(await this.state()));
  }

  /** Nobody waits for it any more. */
  abandon(): void {
    clearInterval(this.looking);
    this.isOver = true;
    this.begin.resolve(false);
    this.end.resolve(null);
  }

  private async takeBack(): Promise<boolean> {
    const isBack = await this.handed.takeBack().catch((error: unknown) => {
      this.lose(error);
      return false;
    });
    if (isBack) this.abandon();
    else this.begin.resolve(true);
    return isBack;
  }

  private async readAll(execution: Pick<vscode.TerminalShellExecution, 'read'>): Promise<void> {
    for await (const text of execution.read()) this.take(text);
    if (this.output.hasBegun && !this.output.hasEnded) await this.look({ isCut: true });
  }

  private take(text: string): void {
    if (this.isOver) return;
    const own = this.output.add(text);
    if (own !== '') this.use.onOutput(own);
    // After a cut it is not known whether what comes is its own, and so may never end.
    if (!this.isCut) this.heardAt = performance.now();
    if (this.output.hasBegun) this.begin.resolve(true);
    if (this.output.hasEnded) void this.look();
  }

  private async state(): Promise<HandedState> {
    try {
      return await this.handed.state();
    } catch (error) {
      this.lose(error);
      return { kind: 'gone' };
    }
  }

  /** Its files cannot be reached: how it goes is not known any more. */
  private lose(error: unknown): void {
    if (this.isOver) return;
    this.use.onOutput(`\n${error instanceof Error ? error.message : String(error)}\n`);
    this.finish(null);
  }

  private finish(exitCode: number | null): void {
    if (this.isOver) return;
    clearInterval(this.looking);
    const { hasBegun, hasEnded } = this.output;
    // Of one that was killed, no end is marked.
    if (this.isCut || !hasBegun || (exitCode !== null && !hasEnded)) {
      this.use.onOutput(
        `\n${vscode.l10n.t('[Not all that it wrote could be read. The terminal shows it.]')}\n`,
      );
    }
    this.isOver = true;
    this.begin.resolve(true);
    this.end.resolve(exitCode);
    void this.handed.forget().catch(() => {
      // It goes with the files of the terminal.
    });
  }
}

function exitCodeOf(handed: HandedState): number | null {
  return handed.kind === 'ended' ? handed.exitCode : null;
}
