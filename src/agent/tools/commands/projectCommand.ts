import type { Programs } from '../../../host/programs.ts';
import type { Wall } from '../../../host/sandbox.ts';

export interface ProjectCommandHost {
  readonly programs: Pick<Programs, 'startShell'>;
  /** The path of the shell that commands get. */
  readonly shell: () => string;
  /** What it is run behind; undefined where there is no sandbox. @param writable URIs of folders */
  readonly wallFor: (chatId: string, writable: readonly string[]) => Promise<Wall | undefined>;
}

/** A command that comes with a project, and that the user has allowed. */
export interface ProjectCommand {
  readonly chatId: string;
  readonly command: string;
  /** The URI of the folder it runs in. */
  readonly folder: string;
  /** The URIs of the folders that it may write below. */
  readonly writable: readonly string[];
  /** All that it is given to read. */
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the environment it gets only what says where things are; what it leaves running is ended with it. */
  readonly isApart?: boolean;
  /** The user had it leave the sandbox. */
  readonly isOutside?: boolean;
  /** The most that it may take, in milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface ProjectCommandEnd {
  readonly end: 'ended' | 'late' | 'stopped';
  /** Null: it was killed, or could not be started. */
  readonly exitCode: number | null;
  /** The beginning of what it wrote. */
  readonly output: string;
  readonly errors: string;
  readonly isWalled: boolean;
  /** The origins of hosts that it wanted to reach and may not. */
  readonly refusedHosts: readonly string[];
  /** Protected files that it made, which were given another name. */
  readonly made: readonly string[];
}

/** How much is kept of each stream, in UTF-16 units. */
const MAX_OUTPUT = 1_000_000;

/**
 * Runs a command of a project without a terminal, in the sandbox where there is one.
 * @throws CommandTextError; the reason of the signal if it fired before
 */
export async function runProjectCommand(
  { programs, shell, wallFor }: ProjectCommandHost,
  {
    chatId,
    command,
    folder,
    writable,
    input,
    environment,
    isApart,
    isOutside,
    limitMs,
    signal,
  }: ProjectCommand,
): Promise<ProjectCommandEnd> {
  signal.throwIfAborted();
  const wall = isOutside === true ? undefined : await wallFor(chatId, writable);
  let [output, errors] = ['', ''];
  let end: ProjectCommandEnd['end'] = 'ended';
  let exitCode: number | null;
  try {
    signal.throwIfAborted();
    const running = programs.startShell({
      shell: shell(),
      command,
      folder,
      wall,
      input: input ?? '',
      environment,
      isApart,
      onOutput: (text) => (output = (output + text).slice(0, MAX_OUTPUT)),
      onErrors: (text) => (errors = (errors + text).slice(0, MAX_OUTPUT)),
    });
    const stop = (why: ProjectCommandEnd['end']): void => {
      end = why;
      running.stop();
    };
    const timer = setTimeout(() => stop('late'), limitMs);
    const abort = (): void => stop('stopped');
    signal.addEventListener('abort', abort, { once: true });
    try {
      exitCode = await running.ended;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  } catch (error) {
    await wall?.close();
    throw error;
  }
  const { made } = (await wall?.close()) ?? { made: [] };
  const refusedHosts = wall?.refusedHosts() ?? [];
  return { end, exitCode, output, errors, isWalled: wall !== undefined, refusedHosts, made };
}
