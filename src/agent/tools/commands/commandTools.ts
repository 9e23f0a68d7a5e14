import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import type { GuardedFiles } from '../../../host/guardedFiles.ts';
import type { WorkspaceWatch } from '../../../host/workspaceFiles.ts';
import type { CommandStart, StartedCommand } from './commandRun.ts';
import type { CommandRuns } from './commandRuns.ts';
import { z } from 'zod';

export const commandTools = (host: CommandHost) => [runCommand(host), readCommand(host)] as const;

function runCommand(host: CommandHost) {
  return defineTool({
    name: 'run_command',
    description:
      'Runs a shell command in a terminal, in the workspace folder or in a folder of it. Each has a new shell: cd ' +
      'and variables do not carry over. Nobody answers prompts. One that has not ended after waitSeconds goes on, ' +
      'under an id for read_command.',
    input: runCommandInput,
    mustFinish: true,
    endsStep: true,
    run: async (input, context) => (await host.load()).runCommand(host, input, context),
  });
}

function readCommand(host: CommandHost) {
  return defineTool({
    name: 'read_command',
    description: 'Waits for a command that was left running and reads what it has written, or stops it.',
    input: readCommandInput,
    mustFinish: true,
    run: async (input, context) => (await host.load()).readCommand(host, input, context),
  });
}

export interface CommandTerminals {
  start(start: CommandStart): Promise<StartedCommand>;
}

interface CommandWork {
  runCommand(host: CommandHost, input: RunCommandInput, context: ToolContext): Promise<ToolOutput>;
  readCommand(host: CommandHost, input: ReadCommandInput, context: ToolContext): Promise<ToolOutput>;
}

export interface CommandHost {
  readonly guarded: GuardedFiles;
  readonly runs: CommandRuns;
  /** Loads the implementation with the first command. */
  readonly load: () => Promise<CommandWork>;
  readonly terminals: () => Promise<CommandTerminals>;
  /** The name of the shell, such as `bash`. */
  readonly shell: () => string;
  readonly watch: () => Promise<WorkspaceWatch>;
  readonly allowed: () => readonly string[];
  /** What its terminals are called; left out: as all are. */
  readonly title?: string | undefined;
  /** After how long without output the user is told what a command seems to wait for, in milliseconds; else the usual. */
  readonly quietMs?: number;
}

/** The longest command, in UTF-16 units. */
const MAX_COMMAND = 10_000;

/** How long to wait for a command, in seconds, unless the model sets another time. */
const WAIT_SECONDS = 120;
const MAX_WAIT_SECONDS = 3_600;

const waitSeconds = z.number().min(0).max(MAX_WAIT_SECONDS).default(WAIT_SECONDS);

const runCommandInput = z.object({
  command: z.string().trim().min(1).max(MAX_COMMAND),
  folder: z.string().max(4_096).optional(),
  waitSeconds,
});

const readCommandInput = z.object({
  id: z.string().max(100),
  waitSeconds,
  stop: z.boolean().optional(),
});

export type RunCommandInput = z.output<typeof runCommandInput>;
export type ReadCommandInput = z.output<typeof readCommandInput>;
