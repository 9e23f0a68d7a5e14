import * as vscode from 'vscode';
import type {
  CommandStart,
  CommandTerminals,
  StartedCommand,
} from '../../agent/tools/commands/commandRuns.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { Programs } from '../../platform/programs.ts';
import { IntegratedTerminals } from './integratedTerminals.ts';
import { PlainTerminals } from './plainTerminals.ts';

/** Where the agent's commands run: VS Code's own terminal, or a plain one where VS Code cannot tell when they end. */
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

/** The name of the program that reads commands, such as `bash`. */
export function shellName(): string {
  const name = vscode.env.shell.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  return name.endsWith('.exe') ? name.slice(0, -'.exe'.length) : name;
}
