import * as vscode from 'vscode';
import { CommandOutput } from '../../agent/tools/commands/commandOutput.ts';
import type { CommandStart, StartedCommand } from '../../agent/tools/commands/commandRun.ts';
import type { Disposable } from '../../base/disposable.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { Programs, RunningShell } from '../../host/programs.ts';

/** Each command has its own shell; the terminal that shows its output has none. */
export class PlainTerminals implements Disposable {
  private readonly terminals = new Set<PlainTerminal>();

  constructor(
    private readonly programs: () => Promise<Programs>,
    private readonly shell: () => string,
  ) {}

  async start(asked: CommandStart): Promise<StartedCommand> {
    const { chatId, command, folder, title, wall, onOutput } = asked;
    const programs = await this.programs();
    const free = [...this.terminals].find(
      (each) => each.chatId === chatId && each.title === title && !each.isBusy,
    );
    const terminal = free ?? new PlainTerminal(chatId, title, (closed) => this.terminals.delete(closed));
    this.terminals.add(terminal);
    const shell = programs.startShell({
      shell: this.shell(),
      command,
      folder,
      wall,
      onOutput: (text) => {
        onOutput(text);
        terminal.write(text);
      },
    });
    const ended = terminal.show(command, shell);
    return { ended, stop: () => shell.stop(), show: () => terminal.terminal.show() };
  }

  dispose(): void {
    for (const { terminal } of this.terminals) terminal.dispose();
    this.terminals.clear();
  }
}

/** Shows one command after the other, and passes typed input to the running one. */
class PlainTerminal {
  readonly terminal: vscode.Terminal;
  private readonly written = new vscode.EventEmitter<string>();
  private current: RunningShell | undefined;
  /** Output from before VS Code was ready to show it. */
  private early: CommandOutput | undefined = new CommandOutput();

  constructor(
    readonly chatId: string,
    readonly title: string | undefined,
    onClosed: (terminal: PlainTerminal) => void,
  ) {
    this.terminal = vscode.window.createTerminal({
      ...terminalLook(title),
      pty: {
        onDidWrite: this.written.event,
        open: () => {
          const { early } = this;
          this.early = undefined;
          if (early) this.write(early.whole());
        },
        close: () => {
          this.current?.stop();
          this.written.dispose();
          onClosed(this);
        },
        handleInput: (typed: string) => this.take(typed),
      },
    });
  }

  get isBusy(): boolean {
    return this.current !== undefined;
  }

  write(text: string): void {
    if (this.early) this.early.add(text);
    else this.written.fire(text.replaceAll(/\r?\n/g, '\r\n'));
  }

  async show(command: string, shell: RunningShell): Promise<number | null> {
    this.current = shell;
    this.write(`\u001b[1m$ ${withHiddenSpelledOut(command)}\u001b[0m\n`);
    const exitCode = await shell.ended;
    this.current = undefined;
    this.write(`\n\u001b[2m${exitCode === null ? '—' : vscode.l10n.t('Exit code {0}', exitCode)}\u001b[0m\n`);
    return exitCode;
  }

  /** Ctrl+C ends the command; anything else is its input. */
  private take(typed: string): void {
    if (typed === '\u0003') {
      this.current?.stop();
      return;
    }
    const text = typed.replaceAll('\r', '\n');
    this.write(text);
    this.current?.write(text);
  }
}

interface TerminalLook {
  readonly name: string;
  readonly iconPath: vscode.ThemeIcon;
  readonly isTransient: boolean;
}

export function terminalLook(title?: string): TerminalLook {
  const name = vscode.l10n.t('Offshoot Agent');
  return {
    name: title === undefined ? name : `${name}: ${title}`,
    iconPath: new vscode.ThemeIcon('terminal'),
    isTransient: true,
  };
}
