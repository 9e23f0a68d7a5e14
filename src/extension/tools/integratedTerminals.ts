import * as vscode from 'vscode';
import type { CommandStart, StartedCommand } from '../../agent/tools/commands/commandRun.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { HandedCommand, Programs, TerminalShell } from '../../host/programs.ts';
import { terminalLook } from './plainTerminals.ts';
import { TerminalCommand, type TerminalBounds } from './terminalCommand.ts';

/** Terminals that run what is handed to them by files: nothing of a command is typed. Free ones of a chat are reused. */
export class IntegratedTerminals implements Disposable {
  private readonly terminals = new Set<IntegratedTerminal>();
  /** Terminals do not begin what they are handed here; do not wait for it again. */
  private isHopeless = false;

  constructor(
    private readonly programs: () => Promise<Programs>,
    private readonly shell: () => string,
    private readonly bounds: TerminalBounds,
  ) {}

  /** Undefined when it cannot be run in one, and was not. */
  async start(asked: CommandStart): Promise<StartedCommand | undefined> {
    const shell = this.shell();
    const free = [...this.terminals].find((each) => each.isFree(asked, shell));
    const started = await free?.start(asked);
    if (started) return started;
    if (this.isHopeless) return undefined;
    const opened = await this.open(asked, shell);
    const first = await opened?.start(asked);
    if (!first) {
      this.isHopeless = true;
      opened?.dispose();
    }
    return first;
  }

  dispose(): void {
    for (const terminal of this.terminals) terminal.dispose();
    this.terminals.clear();
  }

  private async open(
    { chatId, title }: CommandStart,
    shell: string,
  ): Promise<IntegratedTerminal | undefined> {
    const hint = vscode.l10n.t('The agent’s commands run here. Open another terminal for your own.');
    const programs = await this.programs();
    // Where its files cannot be written, a plain shell still runs commands: it needs none.
    const handing = await programs.openTerminalShell({ shell, hint }).catch(() => undefined);
    if (!handing) return undefined;
    const terminal = new IntegratedTerminal({ chatId, title, shell, handing }, this.bounds, (closed) =>
      this.terminals.delete(closed),
    );
    this.terminals.add(terminal);
    return terminal;
  }
}

interface TerminalUse extends Pick<CommandStart, 'chatId' | 'title'> {
  /** The path of the shell that each command gets. */
  readonly shell: string;
  readonly handing: TerminalShell;
}

class IntegratedTerminal implements Disposable {
  private terminal: vscode.Terminal | undefined;
  private current: TerminalCommand | undefined;
  private state: 'free' | 'busy' | 'stuck' | 'closed' = 'free';
  private readonly listeners: vscode.Disposable;

  constructor(
    private readonly use: TerminalUse,
    private readonly bounds: TerminalBounds,
    private readonly onClosed: (terminal: IntegratedTerminal) => void,
  ) {
    this.listeners = vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        if (terminal === this.terminal) this.current?.read(execution);
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === this.terminal) void this.close();
      }),
    );
  }

  isFree({ chatId, title }: CommandStart, shell: string): boolean {
    const { use } = this;
    return this.state === 'free' && use.chatId === chatId && use.title === title && use.shell === shell;
  }

  /** Undefined when it does not begin: something else in the terminal may take what is typed. */
  async start({ command, folder, wall, onOutput }: CommandStart): Promise<StartedCommand | undefined> {
    this.state = 'busy';
    const handed = await this.hand({ command, folder, wall });
    if (!handed || this.isClosed) {
      this.become('stuck');
      return undefined;
    }
    const run = (): void => {
      if (!this.isClosed) this.terminal?.sendText(handed.line, true);
    };
    const running = new TerminalCommand(handed, { onOutput, run }, this.bounds);
    this.current = running;
    if (this.terminal) run();
    else {
      const { program, options } = this.use.handing.launch(handed);
      this.terminal = vscode.window.createTerminal({
        ...terminalLook(this.use.title),
        cwd: vscode.Uri.parse(folder, true),
        shellPath: program,
        shellArgs: [...options],
      });
    }
    if (!(await running.begins())) {
      this.become('stuck');
      return undefined;
    }
    void running.ended.then(() => this.become('free'));
    return {
      ended: running.ended,
      stop: () => this.stop(running),
      show: () => this.terminal?.show(),
    };
  }

  dispose(): void {
    const isOpen = !this.isClosed;
    this.state = 'closed';
    this.listeners.dispose();
    this.current?.abandon();
    if (isOpen) this.terminal?.dispose();
    void this.use.handing.close();
    this.onClosed(this);
  }

  private get isClosed(): boolean {
    return this.state === 'closed';
  }

  /** Undefined where its files cannot be written, as in a folder that was cleaned up. */
  private hand(
    command: Pick<CommandStart, 'command' | 'folder' | 'wall'>,
  ): Promise<HandedCommand | undefined> {
    return this.use.handing.hand(command).catch(() => undefined);
  }

  private become(state: 'free' | 'stuck'): void {
    this.current = undefined;
    if (!this.isClosed) this.state = state;
  }

  private stop(running: TerminalCommand): void {
    if (this.isClosed) return;
    this.terminal?.sendText('\u0003', false);
    const timer = setTimeout(() => void this.closeIfRuns(running), this.bounds.graceMs);
    void running.ended.then(() => clearTimeout(timer));
  }

  /** One that has ended may still be read. */
  private async closeIfRuns(running: TerminalCommand): Promise<void> {
    if (await running.runs()) this.terminal?.dispose();
  }

  private async close(): Promise<void> {
    this.state = 'closed';
    await this.current?.closed();
    this.dispose();
  }
}
