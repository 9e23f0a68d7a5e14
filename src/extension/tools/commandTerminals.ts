import * as vscode from 'vscode';
import { ToolError } from '../../agent/tools/toolError.ts';
import type { CommandTerminals } from '../../agent/tools/commands/commandTools.ts';
import type { CommandStart, StartedCommand } from '../../agent/tools/commands/commandRun.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Programs } from '../../host/programs.ts';
import { IntegratedTerminals } from './integratedTerminals.ts';
import { PlainTerminals } from './plainTerminals.ts';
import { usualBounds, type TerminalBounds } from './terminalCommand.ts';

export interface EditorTerminalsOptions extends Partial<TerminalBounds> {
  /** The path of the shell that commands get; without it, the one that VS Code has for its terminals. */
  readonly shell?: () => string;
}

/** VS Code's own terminals, or plain ones where those cannot run commands or do not tell when one begins. */
export class EditorTerminals implements CommandTerminals, Disposable {
  private readonly integrated: IntegratedTerminals;
  private readonly plain: PlainTerminals;
  private isDisposed = false;

  constructor(
    programs: () => Promise<Programs>,
    { shell = () => vscode.env.shell || '/bin/sh', ...bounds }: EditorTerminalsOptions = {},
  ) {
    this.integrated = new IntegratedTerminals(programs, shell, { ...usualBounds, ...bounds });
    this.plain = new PlainTerminals(programs, shell);
  }

  async start(asked: CommandStart): Promise<StartedCommand> {
    const started = await this.integrated.start(asked);
    if (started) return started;
    // A terminal that was closed with the window did not begin it, and nothing else is to.
    if (this.isDisposed) throw new ToolError('The window is being closed.', 'window-closed');
    return this.plain.start(asked);
  }

  dispose(): void {
    this.isDisposed = true;
    this.integrated.dispose();
    this.plain.dispose();
  }
}
