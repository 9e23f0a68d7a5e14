import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { BranchFilesError } from '../../branchFilesError.ts';
import { ownEnvironment, safely } from '../gitFiles.ts';
import { hasCode } from '../openFolder.ts';

/** How much of git's error output is kept, in UTF-16 units. */
const MAX_PROBLEM = 1_000;

export interface GitCommand {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /** What it may end with, besides 0. */
  readonly isExpected?: (status: number) => boolean;
}

export interface GitOutput {
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The beginning of what it said besides. */
  readonly problem: string;
}

/** Starts git without hooks, watchers, and anything that reaches another machine. */
export function startGit(
  args: readonly string[],
  { cwd, env = {}, signal }: Pick<GitCommand, 'cwd' | 'env' | 'signal'>,
): ChildProcessWithoutNullStreams {
  return spawn('git', [...safely, '-c', `core.hooksPath=${devNull}`, ...args], {
    cwd,
    env: { ...ownEnvironment(), GIT_LFS_SKIP_SMUDGE: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
  });
}

/** Runs git to its end, as {@link startGit} starts it. @throws BranchFilesError */
export async function git(args: readonly string[], command: GitCommand): Promise<GitOutput> {
  const { cwd, input = '', signal, isExpected = () => false } = command;
  signal?.throwIfAborted();
  const child = startGit(args, command);
  const pieces: Buffer[] = [];
  let problem = '';
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (problem = (problem + text).slice(0, MAX_PROBLEM)));
  // It may have ended before it has read everything.
  child.stdin.on('error', () => undefined).end(input);
  const status = await new Promise<number>((resolve, reject) => {
    let failure: Error | undefined;
    child.once('error', (error) => {
      failure = error;
      // It did not begin. One that is stopped may still write until it has ended.
      if (child.pid === undefined) reject(error);
    });
    child.once('close', (code) => {
      if (failure) reject(failure);
      else resolve(code ?? -1);
    });
  }).catch(async (error: unknown) => {
    // The same is said of a folder that is gone.
    const isThere = (await stat(cwd).catch(() => undefined)) !== undefined;
    throw isThere && hasCode(error, 'ENOENT') ? new BranchFilesError('no-git', '', { cause: error }) : error;
  });
  problem = problem.trim();
  if (status !== 0 && !isExpected(status)) throw new BranchFilesError('git-failed', problem);
  return { status, bytes: new Uint8Array(Buffer.concat(pieces)), problem };
}

/** Its output without the line end, as text. */
export async function gitText(args: readonly string[], command: GitCommand): Promise<string> {
  return new TextDecoder().decode((await git(args, command)).bytes).replace(/\n$/u, '');
}

/** Its output between zero bytes. */
export async function gitList(args: readonly string[], command: GitCommand): Promise<string[]> {
  const text = new TextDecoder().decode((await git(args, command)).bytes);
  return text.split('\0').filter((item) => item !== '');
}
