import { WallError, type Sandbox, type Wall } from '../../../host/sandbox.ts';
import type { AskedCommand } from './commandApproval.ts';
import type { CommandHost } from './commandTools.ts';
import { isCovered, judgeCommand } from './judgeCommand.ts';

/**
 * The wall that a command is run behind without a question: when its beginning is allowed, or no command in the sandbox is
 * asked for. Undefined: it runs outside, once it is approved.
 */
export async function wallFor(
  host: CommandHost,
  sandbox: Sandbox,
  chatId: string,
  { command, folder }: Pick<AskedCommand, 'command' | 'folder'>,
): Promise<Wall | undefined> {
  const { allowed, guarded, shell, walls } = host;
  if (!walls || writesRepository(command)) return undefined;
  if (!walls.isUnasked()) {
    const judged = judgeCommand(command, shell(), folder.path);
    if (judged.kind === 'each-time' || !isCovered(judged, allowed(), shell(), true)) return undefined;
  }
  try {
    return await sandbox.wall({
      chatId,
      shell: walls.shell(),
      writable: guarded.folders().map(({ uri }) => uri),
      readable: walls.readable(),
    });
  } catch (error) {
    if (error instanceof WallError) return undefined;
    throw error;
  }
}

const gitWrites = [
  ...[
    'add',
    'am',
    'bisect',
    'checkout',
    'cherry-pick',
    'clone',
    'commit',
    'fetch',
    'gc',
    'init',
    'maintenance',
  ],
  ...[
    'merge',
    'mv',
    'pull',
    'push',
    'rebase',
    'reset',
    'restore',
    'revert',
    'rm',
    'stash',
    'submodule',
    'switch',
  ],
  ...['update-index', 'update-ref', 'worktree'],
].join('|');

const gitWrite = new RegExp(
  String.raw`(?:^|[\s;&|({\x60])git(?:\s+-\S+(?:\s+[^\s-]\S*)??)*\s+(?:${gitWrites})(?![\w-])`,
  'u',
);

/**
 * Whether it seems to need git for what no sandbox allows, so that it is better asked for at once. What this does not
 * recognize is refused in the sandbox.
 */
export function writesRepository(command: string): boolean {
  return gitWrite.test(command);
}
