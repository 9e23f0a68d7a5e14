import { guarded } from '../workspace/guarded.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { approveCommand } from './commandApproval.ts';
import { describeChanges, recordChanges, type ChangedByCommand } from './commandChanges.ts';
import type { CommandHost, ReadCommandInput, RunCommandInput } from './commandTools.ts';
import { CommandRun } from './commandRun.ts';
import type { CommandDetails } from './commandDetails.ts';
import type { QuietCommand, WaitsFor } from '../../../models/messages/toolParts.ts';
import { seemsToWaitFor } from './seemsToWait.ts';
import { askForHosts, runsWalled, wallFor } from './walledCommand.ts';
import { hostNameOf, madeText, refusalsIn, refusalText } from './wallRefusals.ts';
import type { GuardedFile } from '../../../host/guardedFiles.ts';
import { WallError, type SetAside, type Wall } from '../../../host/sandbox.ts';

/** How often the user is shown a command's new output, in milliseconds, and how much of it. */
const PROGRESS_MS = 200;
const PROGRESS_LENGTH = 2_000;

/** After how long without output the user is told what a command seems to wait for, in milliseconds. */
const QUIET_MS = 10_000;

export async function runCommand(
  host: CommandHost,
  { command, folder: given, waitSeconds, outside = false, hosts = [] }: RunCommandInput,
  context: ToolContext,
): Promise<ToolOutput> {
  refuseControlCharacters(command);
  const folder = await folderOf(host, given);
  const run = (wall?: Wall): Promise<CommandRun> =>
    start(host, context, { command, folder, waitSeconds, wall });
  const { walls } = host;
  const sandbox = await walls?.sandbox();
  if (walls && sandbox && !outside && (await runsWalled(host, sandbox, { command, folder }))) {
    const reached = await askForHosts({ walls, sandbox }, context, hosts);
    try {
      // A wall changes the folders for as long as it stands.
      return await withChanges(host, context, async () =>
        run(await wallFor(host, { walls, sandbox }, context.chatId, reached)),
      );
    } catch (error) {
      // It runs outside, once it is approved.
      if (!(error instanceof WallError)) throw error;
    }
  }
  const leavesSandbox = sandbox !== undefined && outside;
  await approveCommand(host, context, { command, folder, shownFolder: folder.shown, leavesSandbox });
  context.signal.throwIfAborted();
  return withChanges(host, context, () => run());
}

interface StartedRun extends Pick<RunCommandInput, 'command' | 'waitSeconds'> {
  readonly folder: Pick<GuardedFile, 'uri'>;
  readonly wall: Wall | undefined;
}

async function start(
  host: CommandHost,
  context: ToolContext,
  { command, folder, waitSeconds, wall }: StartedRun,
): Promise<CommandRun> {
  if (context.signal.aborted) await wall?.close();
  context.signal.throwIfAborted();
  const run = new CommandRun(context.chatId, wall);
  host.runs.add(run, context.callId);
  await begin(host, run, command, folder.uri);
  await waitFor(host, run, waitSeconds, context);
  return run;
}

export async function readCommand(
  host: CommandHost,
  { id, waitSeconds, stop = false }: ReadCommandInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { runs } = host;
  const run = runs.get(context.chatId, id);
  if (!run) throw new ToolError(noSuchCommand(id, runs.running(context.chatId)), 'no-such-command');
  return withChanges(host, context, async () => {
    if (stop) await run.stop();
    else await waitFor(host, run, waitSeconds, context);
    return run;
  });
}

async function begin(
  { terminals, title }: CommandHost,
  run: CommandRun,
  command: string,
  folder: string,
): Promise<void> {
  const { chatId, wall } = run;
  try {
    const where = await terminals();
    const onOutput = (text: string): void => run.add(text);
    const started = await where.start({ chatId, command, folder, title, wall, onOutput });
    run.begin(started);
    if (wall) void started.ended.then(() => wall.close());
  } catch (error) {
    run.finish(null);
    await wall?.close();
    throw error;
  }
}

/** No program can be given NUL, and a terminal would act on the others where it shows the command. */
function refuseControlCharacters(command: string): void {
  if (!/(?![\n\t])\p{Cc}/u.test(command)) return;
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
    // It must be a folder.
    await files.list(at);
    return at;
  });
}

/** Waits for a command and shows the user its output. If the user stops the answer, the command is stopped too. */
async function waitFor(
  { quietMs = QUIET_MS }: CommandHost,
  run: CommandRun,
  seconds: number,
  { progress, signal }: ToolContext,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => progress(run.output.end(PROGRESS_LENGTH), quietCommand(run, quietMs));
  // A timer counts in whole milliseconds, and so may fire before this one has passed.
  const awaitSilence = (): void => {
    clearTimeout(silence);
    const left = quietMs - run.quietFor;
    if (left <= 0) show();
    else silence = setTimeout(awaitSilence, left + 1);
  };
  run.onMore = () => {
    awaitSilence();
    timer ??= setTimeout(() => {
      timer = undefined;
      show();
    }, PROGRESS_MS);
  };
  run.onMore();
  try {
    const outcome = await run.wait(seconds * 1_000, signal);
    if (outcome === 'aborted') await run.stop();
  } finally {
    run.onMore = undefined;
    clearTimeout(timer);
    clearTimeout(silence);
  }
}

/** Undefined while it writes, and once it has ended. */
function quietCommand(run: CommandRun, quietMs: number): QuietCommand | undefined {
  const { quietFor } = run;
  if (quietFor < quietMs) return undefined;
  return { seconds: Math.floor(quietFor / 1_000), waitsFor: seemsToWaitFor(run.output) };
}

/** Records workspace changes made in the meantime, so that they can be undone. */
async function withChanges(
  { guarded: files, walls, watch, quietMs = QUIET_MS }: CommandHost,
  context: ToolContext,
  work: () => Promise<CommandRun>,
): Promise<ToolOutput> {
  const before = await (await watch()).now(files.folders());
  const run = await work();
  // What is set aside is recorded by the name that it has then.
  const aside = run.ending ? await run.wall?.close() : await run.wall?.sweep();
  const sandbox = await walls?.sandbox();
  const changed = await recordChanges(before, files, context.files, (uri) => sandbox?.holds(uri) === true);
  return describeCommand(run, changed, aside, quietMs);
}

function noSuchCommand(id: string, running: readonly string[]): string {
  const those = running.length === 0 ? 'No command is running.' : `Running: ${running.join(', ')}.`;
  return `There is no command “${id}” any more. ${those}`;
}

/** How much of the beginning and of the end of a command's output the model gets, in UTF-16 units. */
const OUTPUT_LENGTH = 8_000;

/** How many protected files are named that a command has made. */
const MAX_MADE = 20;

/** @param changed undefined: not known @param aside what it made of protected files in a sandbox */
function describeCommand(
  run: CommandRun,
  changed: ChangedByCommand | undefined,
  aside: SetAside | undefined,
  quietMs: number,
): ToolOutput {
  const { ending, id } = run;
  const output = run.output.cut(OUTPUT_LENGTH).trimEnd();
  const isWalled = run.wall !== undefined;
  const hosts = (run.wall?.refusedHosts() ?? []).map(hostNameOf);
  const refused = isWalled
    ? refusalsIn(output).filter((each) => each !== 'network' || hosts.length === 0)
    : [];
  const made = aside?.made.slice(0, MAX_MADE) ?? [];
  const isCut = aside?.isCut === true || made.length < (aside?.made.length ?? 0);
  const details: CommandDetails = {
    id,
    ...(ending ? { exitCode: ending.exitCode } : {}),
    ...(isWalled
      ? {
          sandbox: {
            refused,
            ...(hosts.length > 0 ? { hosts } : {}),
            ...(made.length > 0 ? { made } : {}),
            ...(isCut ? { isCut } : {}),
          },
        }
      : {}),
  };
  const hasFailed = ending !== undefined && ending.exitCode !== 0 && !ending.wasStopped;
  return {
    text: [
      howItWent(run, quietCommand(run, quietMs)),
      output === '' ? '[It wrote nothing.]' : output,
      ...(isWalled && (hasFailed || refused.length > 0 || hosts.length > 0)
        ? [refusalText(refused, hosts)]
        : []),
      ...(made.length > 0 || isCut ? [madeText(made, isCut)] : []),
      ...describeChanges(changed, ending !== undefined),
    ].join('\n\n'),
    details,
  };
}

function howItWent({ ending, id, duration }: CommandRun, quiet: QuietCommand | undefined): string {
  const seconds = `${(duration / 1_000).toFixed(1)} s`;
  if (!ending) {
    return [
      `Still running after ${seconds}, as “${id}”. To wait for it, read on or stop it, call read_command.`,
      ...(quiet ? [`It wrote nothing for the last ${quiet.seconds} s${waitsForWords[quiet.waitsFor]}.`] : []),
    ].join(' ');
  }
  if (ending.wasStopped) return `Stopped after ${seconds}.`;
  return ending.exitCode === null
    ? `Ended after ${seconds}; the exit code is not known.`
    : `Exit code ${ending.exitCode} after ${seconds}.`;
}

const waitsForWords: Readonly<Record<WaitsFor, string>> = {
  password: ' and seems to wait for a password, which only the user can type into the terminal',
  answer: ' and seems to wait for an answer, which only the user can type into the terminal',
  key: ' and seems to wait for a key, as pagers and editors do',
  unknown: '',
};
