import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import type { GuardedFiles } from '../../../host/guardedFiles.ts';
import type { Sandbox } from '../../../host/sandbox.ts';
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
      'under an id for read_command. Some run in a sandbox; outside: true has one run without it, hosts: the names of ' +
      'those that it may reach from it; the user is asked for both.',
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

/** What commands can be walled in with. */
export interface CommandWalls {
  /** Undefined where there is none. */
  readonly sandbox: () => Promise<Sandbox | undefined>;
  /** Whether no command in it is asked for. */
  readonly isUnasked: () => boolean;
  /** The path of the shell that commands get. */
  readonly shell: () => string;
  /** Whether a command of a chat may reach a host. @param origin such as `https://example.com` */
  readonly mayReach: (chatId: string, origin: URL) => boolean;
  /** The URIs of folders that may be read, besides those that commands run in. */
  readonly readable: () => readonly string[];
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
  /** What commands can be walled in with; left out: nothing. */
  readonly walls?: CommandWalls | undefined;
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

/** The most hosts that one call may ask for. */
const MAX_HOSTS = 10;

const waitSeconds = z.number().min(0).max(MAX_WAIT_SECONDS).default(WAIT_SECONDS);

const runCommandInput = z.object({
  command: z.string().trim().min(1).max(MAX_COMMAND),
  folder: z.string().max(4_096).optional(),
  waitSeconds,
  outside: z.boolean().optional(),
  hosts: z.array(z.string().trim().min(1).max(300)).max(MAX_HOSTS).optional(),
});

const readCommandInput = z.object({
  id: z.string().max(100),
  waitSeconds,
  stop: z.boolean().optional(),
});

export type RunCommandInput = z.output<typeof runCommandInput>;
export type ReadCommandInput = z.output<typeof readCommandInput>;
