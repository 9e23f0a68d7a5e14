import type { CommandRun } from '../../agent/tools/commands/commandRun.ts';
import type { CommandTerminals } from '../../agent/tools/commands/commandTools.ts';
import type { BranchFilesRecord } from '../../host/branchFiles.ts';
import type { Wall } from '../../host/sandbox.ts';

export interface OwnFilesCommandOptions {
  readonly terminals: () => Promise<CommandTerminals>;
  /** What it is run behind; undefined where there is no sandbox. @param writable URIs of folders */
  readonly wallFor: (chatId: string, writable: readonly string[]) => Promise<Wall | undefined>;
  readonly onError: (error: unknown) => void;
}

export interface OwnFilesCommand {
  readonly record: Pick<BranchFilesRecord, 'chatId' | 'folders'>;
  /** The URI of the folder it runs in. */
  readonly folder: string;
  readonly command: string;
  /** Of the branch. */
  readonly label: string;
  /** The user had it leave the sandbox. */
  readonly isOutside?: boolean | undefined;
  /** The user looks at its terminal. */
  readonly isShown?: boolean;
  /** The most that it may take, in milliseconds. */
  readonly limitMs: number;
}

export interface OwnFilesCommandEnd {
  readonly isLate: boolean;
  /** Protected files that it made in a sandbox. */
  readonly made: readonly string[];
  /** It failed in a sandbox, which seems to have refused it something. */
  readonly isRefused: boolean;
}

/** How much of the beginning and of the end of the output is looked at, in UTF-16 units. */
export const OUTPUT_LENGTH = 20_000;

/** Runs a command in the files of a branch to its end, in a terminal; what fails is told in the output. */
export async function runInOwnFiles(
  { terminals, wallFor, onError }: OwnFilesCommandOptions,
  run: CommandRun,
  { record, folder, command, label, isOutside, isShown, limitMs }: OwnFilesCommand,
): Promise<OwnFilesCommandEnd> {
  let isLate = false;
  let wall: Wall | undefined;
  try {
    if (isOutside !== true) {
      wall = await wallFor(
        record.chatId,
        record.folders.map(({ uri }) => uri),
      );
    }
    const started = await (
      await terminals()
    ).start({
      chatId: record.chatId,
      command,
      folder,
      title: label,
      wall,
      onOutput: (text) => run.add(text),
    });
    run.begin(started);
    if (isShown === true) run.show();
    isLate = (await run.wait(limitMs, NEVER)) === 'late';
    if (isLate) await run.stop();
  } catch (error) {
    onError(error);
    run.add(error instanceof Error ? error.message : String(error));
    run.finish(null);
  }
  const made = (await wall?.close())?.made ?? [];
  const isRefused = wall !== undefined && run.ending?.exitCode !== 0 && (await hasRefused(wall, run));
  return { isLate, made, isRefused };
}

async function hasRefused(wall: Wall, { output }: CommandRun): Promise<boolean> {
  const { refusalsIn } = await import('../../agent/tools/commands/wallRefusals.ts');
  return wall.refusedHosts().length > 0 || refusalsIn(output.cut(OUTPUT_LENGTH)).length > 0;
}

const NEVER = new AbortController().signal;
