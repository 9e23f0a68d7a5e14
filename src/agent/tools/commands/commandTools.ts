import { z } from 'zod';
import { defineTool, type AgentTool, type ToolContext, type ToolOutput } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { guarded } from '../files/guarded.ts';
import type { CommandHost } from './commandHost.ts';
import type { CommandRun } from './commandRuns.ts';
import { describeCommand, type ChangedByCommand } from './describeCommand.ts';
import { recordChanges } from './recordChanges.ts';

/** The longest command, in UTF-16 units. */
const MAX_COMMAND = 10_000;

/** How long a command is waited for, in seconds, unless the model says otherwise. */
const WAIT_SECONDS = 120;
const MAX_WAIT_SECONDS = 3_600;

/** How often the user is shown more of what a command writes, in milliseconds, and how much of it. */
const PROGRESS_MS = 200;
const PROGRESS_LENGTH = 2_000;

const waitSeconds = z.number().min(0).max(MAX_WAIT_SECONDS).default(WAIT_SECONDS);

/** What `run_command` is called with. */
export const runCommandInput = z.object({
  command: z.string().trim().min(1).max(MAX_COMMAND),
  folder: z.string().max(4_096).optional(),
  waitSeconds,
});

/** Tools that run commands in a terminal, each time with the user's leave or by what they allowed. */
export function commandTools(host: CommandHost): readonly AgentTool[] {
  return [runCommand(host), readCommand(host)];
}

function runCommand(host: CommandHost): AgentTool {
  return defineTool({
    name: 'run_command',
    description:
      'Runs a shell command in a terminal, in the workspace folder or in a folder of it. Nobody answers prompts. One ' +
      'that has not ended after waitSeconds goes on, under an id for read_command.',
    input: runCommandInput,
    mustFinish: true,
    run: async ({ command, folder: given, waitSeconds: seconds }, context) => {
      refuseControlCharacters(command);
      const folder = await folderOf(host, given);
      const { approveCommand } = await import('./commandApproval.ts');
      await approveCommand(host, context, { command, folder, shownFolder: folder.shown });
      context.signal.throwIfAborted();
      return withChanges(host, context, async () => {
        const { chatId, callId } = context;
        const run = await host.runs.start({ chatId, command, folder: folder.uri }, callId);
        await waitFor(run, seconds, context);
        return run;
      });
    },
  });
}

function readCommand({ runs, ...host }: CommandHost): AgentTool {
  return defineTool({
    name: 'read_command',
    description: 'Waits for a command that was left running and reads what it has written, or stops it.',
    input: z.object({ id: z.string().max(100), waitSeconds, stop: z.boolean().optional() }),
    mustFinish: true,
    run: ({ id, waitSeconds: seconds, stop = false }, context) => {
      const run = runs.get(context.chatId, id);
      if (!run) throw new ToolError(noSuchCommand(id, runs.running(context.chatId)), 'no-such-command');
      return withChanges({ runs, ...host }, context, async () => {
        if (stop) await run.stop();
        else await waitFor(run, seconds, context);
        return run;
      });
    },
  });
}

/** A terminal would take them for keys. */
function refuseControlCharacters(command: string): void {
  const isControl = (char: string): boolean => (char < ' ' && !'\n\t'.includes(char)) || char === '\x7f';
  if (!Array.from(command).some(isControl)) return;
  throw new ToolError(
    'The command has control characters in it. Call the tool again without them.',
    'invalid-input',
  );
}

async function folderOf({ guarded: files }: CommandHost, given: string | undefined) {
  const [first, ...others] = files.folders();
  if (!first) throw new ToolError('No folder is open in the editor.', 'no-folder');
  if (given === undefined && others.length > 0) {
    throw new ToolError(
      'Several folders are open. Give the one that the command is to run in.',
      'which-folder',
    );
  }
  return guarded(async () => {
    const at = await files.resolve(given ?? '.');
    // It has to be a folder.
    await files.list(at);
    return at;
  });
}

/** Waits for a command, and shows the user what it writes. When they stop the answer, it is stopped as well. */
async function waitFor(run: CommandRun, seconds: number, { progress, signal }: ToolContext): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  run.onMore = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      progress(run.output.end(PROGRESS_LENGTH));
    }, PROGRESS_MS);
  };
  run.onMore();
  try {
    const outcome = await run.wait(seconds * 1_000, signal);
    if (outcome === 'aborted') await run.stop();
  } finally {
    run.onMore = undefined;
    clearTimeout(timer);
  }
}

/** Records what has changed in the workspace meanwhile, so that it can be taken back. */
async function withChanges(
  { guarded: files, watch }: CommandHost,
  context: ToolContext,
  work: () => Promise<CommandRun>,
): Promise<ToolOutput> {
  const before = await (await watch()).now(files.folders());
  const run = await work();
  const changed: ChangedByCommand | undefined = await recordChanges(before, files, context.files);
  return describeCommand(run, changed);
}

function noSuchCommand(id: string, running: readonly string[]): string {
  const those = running.length === 0 ? 'No command is running.' : `Running: ${running.join(', ')}.`;
  return `There is no command “${id}” any more. ${those}`;
}
