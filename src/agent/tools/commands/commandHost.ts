import type { GuardedFiles } from '../../../platform/guardedFiles.ts';
import type { WorkspaceWatch } from '../../../platform/workspaceChanges.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import type { ReadCommandInput, RunCommandInput } from './commandInput.ts';
import type { CommandStart, StartedCommand } from './commandRun.ts';
import type { CommandRuns } from './commandRuns.ts';

/** Where commands run. */
export interface CommandTerminals {
  start(start: CommandStart): Promise<StartedCommand>;
}

/** The tools' implementation. */
export interface CommandWork {
  runCommand(host: CommandHost, input: RunCommandInput, context: ToolContext): Promise<ToolOutput>;
  readCommand(host: CommandHost, input: ReadCommandInput, context: ToolContext): Promise<ToolOutput>;
}

/** What the command tools need from the editor. */
export interface CommandHost {
  readonly guarded: GuardedFiles;
  readonly runs: CommandRuns;
  /** Loads the implementation with the first command. */
  readonly load: () => Promise<CommandWork>;
  readonly terminals: () => Promise<CommandTerminals>;
  /** The name of the shell, such as `bash`. */
  readonly shell: () => string;
  /** Finds what commands change. */
  readonly watch: () => Promise<WorkspaceWatch>;
  /** The command prefixes that need no approval. */
  readonly allowed: () => readonly string[];
}
