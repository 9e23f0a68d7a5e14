import { isPublicHost } from '../../../host/publicAddresses.ts';
import type { Sandbox, Wall } from '../../../host/sandbox.ts';
import type { AskedCommand } from './commandApproval.ts';
import type { ToolContext } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { hostRequest } from '../web/webLeave.ts';
import type { CommandHost, CommandWalls } from './commandTools.ts';
import { isCovered, judgeCommand } from './judgeCommand.ts';

/**
 * Whether a command is run behind a wall without a question: when its beginning is allowed, or no command in the sandbox
 * is asked for.
 */
export async function runsWalled(
  { allowed, shell, walls }: CommandHost,
  sandbox: Sandbox,
  { command, folder }: Pick<AskedCommand, 'command' | 'folder'>,
): Promise<boolean> {
  if (writesRepository(command)) return false;
  if (walls?.isUnasked() === true) return true;
  // Without a network, what the user allowed would work less well in it than without it.
  if (!(await sandbox.canReachHosts())) return false;
  const judged = judgeCommand(command, shell(), folder.path);
  return judged.kind === 'plain' && isCovered(judged, allowed(), shell(), true);
}

interface Walling {
  readonly walls: CommandWalls;
  readonly sandbox: Sandbox;
}

/**
 * Asks the user for the hosts that a command is to reach, unless they are allowed. @returns their origins, for this run
 * @throws DeniedError, or ToolError where none can be reached
 */
export async function askForHosts(
  { walls, sandbox }: Walling,
  { approve, chatId }: Pick<ToolContext, 'approve' | 'chatId'>,
  hosts: readonly string[],
): Promise<ReadonlySet<string>> {
  const origins = hosts.map(originOf);
  if (hosts.length > 0 && !(await sandbox.canReachHosts())) {
    throw new ToolError(
      'No host can be reached from the sandbox here. Call run_command with outside: true, and the user is asked.',
      'no-network',
    );
  }
  for (const origin of origins) {
    if (!walls.mayReach(chatId, origin)) await approve(hostRequest(origin));
  }
  return new Set(origins.map(({ origin }) => origin));
}

/** @param reached the origins that it may reach besides those of its chat @throws WallError */
export function wallFor(
  { guarded }: Pick<CommandHost, 'guarded'>,
  { walls, sandbox }: Walling,
  chatId: string,
  reached: ReadonlySet<string>,
): Promise<Wall> {
  return sandbox.wall({
    chatId,
    shell: walls.shell(),
    writable: guarded.folders().map(({ uri }) => uri),
    readable: walls.readable(),
    mayReach: (origin) => reached.has(origin.origin) || walls.mayReach(chatId, origin),
  });
}

/** @throws ToolError */
function originOf(given: string): URL {
  const url = URL.parse(given.includes('://') ? given : `https://${given}`);
  const isHost =
    url !== null && /^https?:$/u.test(url.protocol) && url.pathname === '/' && url.username === '';
  if (!isHost) {
    throw new ToolError(
      `“${given.toWellFormed()}” is no host. Give its name, such as example.com.`,
      'invalid-input',
    );
  }
  if (isPublicHost(url.hostname)) return new URL(url.origin);
  throw new ToolError(
    `${url.host} leads to this machine or to a private network, which the sandbox does not reach.`,
    'refused',
  );
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
