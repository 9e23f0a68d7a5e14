import type { GuardedFiles } from '../../../platform/guardedFiles.ts';
import type { WorkspaceWatch } from '../../../platform/workspaceChanges.ts';
import type { CommandRuns } from './commandRuns.ts';

/** What the editor does for the tools that run commands. */
export interface CommandHost {
  readonly guarded: GuardedFiles;
  readonly runs: CommandRuns;
  /** The name of the program that reads commands, such as `bash`. */
  readonly shell: () => string;
  /** Finds what commands change. */
  readonly watch: () => Promise<WorkspaceWatch>;
  /** The beginnings of commands that the user need not be asked about. */
  readonly allowed: () => readonly string[];
}
