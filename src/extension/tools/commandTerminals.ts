import * as vscode from 'vscode';
import type { CommandTerminals } from '../../agent/tools/commands/commandTools.ts';
import type { CommandStart, StartedCommand } from '../../agent/tools/commands/commandRun.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Programs } from '../../host/programs.ts';
import { PlainTerminals, terminalLook } from './plainTerminals.ts';

/** VS Code's own terminals, or plain ones if VS Code cannot detect when commands end. */
export class EditorTerminals implements CommandTerminals, Disposable {
  private readonly integrated = new IntegratedTerminals();
  private readonly plain: PlainTerminals;

  constructor(programs: () => Promise<Programs>) {
    this.plain = new PlainTerminals(programs, () => vscode.env.shell || '/bin/sh');
  }

  async start(asked: CommandStart): Promise<StartedCommand> {
    return (await this.integrated.start(asked)) ?? this.plain.start(asked);
  }

  dispose(): void {
    this.integrated.dispose();
    this.plain.dispose();
  }
}

/** How long to wait for VS Code to detect the start and end of a shell's commands, in milliseconds. */
const INTEGRATION_MS = 5_000;

/** How long a command may take to react to Ctrl+C before its terminal is closed, in milliseconds. */
const GRACE_MS = 2_000;

/** In UTF-16 units. */
const MAX_TYPED = 2_000;

/** Its shell reports the start and end of commands. */
interface Integrated {
  readonly chatId: string;
  readonly terminal: vscode.Terminal;
  readonly shell: vscode.TerminalShellIntegration;
  /** The folder its shell started in; a command may have changed it. */
  readonly folder: string;
  readonly start: string | undefined;
  isBusy: boolean;
}

/** Reuses free terminals of the same chat. */
class IntegratedTerminals implements Disposable {
  private readonly terminals = new Set<Integrated>();
  private readonly closing: vscode.Disposable;
  /** Shells here do not report the start of commands; do not wait for it again. */
  private isHopeless = false;

  constructor() {
    this.closing = vscode.window.onDidCloseTerminal((closed) => {
      for (const each of this.terminals) if (each.terminal === closed) this.terminals.delete(each);
    });
  }

  /** Undefined when it cannot be run in one. */
  async start(asked: CommandStart): Promise<StartedCommand | undefined> {
    if (!canBeTyped(asked.command)) return undefined;
    const found = this.freeOne(asked) ?? (await this.open(asked));
    if (!found) return undefined;
    found.isBusy = true;
    const ended = run(found, asked).finally(() => (found.isBusy = false));
    return {
      ended,
      stop: () => stop(found.terminal, ended),
      show: () => found.terminal.show(),
    };
  }

  dispose(): void {
    this.closing.dispose();
    for (const { terminal } of this.terminals) terminal.dispose();
    this.terminals.clear();
  }

  private freeOne({ chatId, folder }: CommandStart): Integrated | undefined {
    return [...this.terminals].find(
      (each) =>
        each.chatId === chatId &&
        each.folder === folder &&
        !each.isBusy &&
        each.shell.cwd?.toString() === each.start,
    );
  }

  private async open({ chatId, folder }: CommandStart): Promise<Integrated | undefined> {
    if (this.isHopeless) return undefined;
    const terminal = vscode.window.createTerminal({
      ...terminalLook(),
      cwd: vscode.Uri.parse(folder, true),
      // Nobody can quit a pager here.
      env: { PAGER: 'cat', GIT_PAGER: 'cat' },
    });
    const shell = await integrationOf(terminal);
    if (!shell) {
      this.isHopeless = true;
      terminal.dispose();
      return undefined;
    }
    const opened = { chatId, terminal, shell, folder, start: shell.cwd?.toString(), isBusy: false };
    this.terminals.add(opened);
    return opened;
  }
}

/** Keys are typed: several lines cannot be, nor what a shell completes. */
function canBeTyped(command: string): boolean {
  return command.length <= MAX_TYPED && !command.includes('\n') && !command.includes('\t');
}

async function integrationOf(
  terminal: vscode.Terminal,
): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  const { promise, resolve } = Promise.withResolvers<vscode.TerminalShellIntegration | undefined>();
  const timer = setTimeout(() => resolve(undefined), INTEGRATION_MS);
  const listeners = vscode.Disposable.from(
    vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) resolve(event.shellIntegration);
    }),
    vscode.window.onDidCloseTerminal((closed) => {
      if (closed === terminal) resolve(undefined);
    }),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    listeners.dispose();
  }
}

/** Resolves with the exit code once it has ended and all its output was read. */
async function run(
  { terminal, shell }: Integrated,
  { command, onOutput }: CommandStart,
): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const execution = shell.executeCommand(command);
  const listeners = vscode.Disposable.from(
    vscode.window.onDidEndTerminalShellExecution((event) => {
      if (event.execution === execution) resolve(event.exitCode ?? null);
    }),
    vscode.window.onDidCloseTerminal((closed) => {
      if (closed === terminal) resolve(terminal.exitStatus?.code ?? null);
    }),
  );
  try {
    const read = readAll(execution, onOutput);
    const exitCode = await promise;
    await Promise.race([read, new Promise((done) => setTimeout(done, GRACE_MS))]);
    return exitCode;
  } finally {
    listeners.dispose();
  }
}

async function readAll(
  execution: vscode.TerminalShellExecution,
  onOutput: (text: string) => void,
): Promise<void> {
  for await (const text of execution.read()) onOutput(text);
}

function stop(terminal: vscode.Terminal, ended: Promise<number | null>): void {
  terminal.sendText('\u0003', false);
  const timer = setTimeout(() => terminal.dispose(), GRACE_MS);
  void ended.then(() => clearTimeout(timer));
}
