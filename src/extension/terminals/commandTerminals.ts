import * as vscode from 'vscode';
import type { CommandTerminals } from '../../agent/tools/commands/commandHost.ts';
import type { CommandStart, StartedCommand } from '../../agent/tools/commands/commandRun.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { Programs } from '../../platform/programs.ts';
import { IntegratedTerminals } from './integratedTerminals.ts';
import { PlainTerminals } from './plainTerminals.ts';

/** Where the agent's commands run: VS Code's own terminal, or a plain one if VS Code cannot detect when they end. */
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
