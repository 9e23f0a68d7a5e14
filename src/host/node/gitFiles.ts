import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The maximum output of git for one command, in bytes. */
const MAX_BUFFER = 100_000_000;

export interface CleanFile {
  /** The object that holds it. */
  readonly object: string;
  readonly size: number;
}

export interface GitFiles {
  /** All files that are not ignored, as paths below the folder; some may no longer be files. */
  readonly paths: readonly string[];
  readonly clean: ReadonlyMap<string, CleanFile>;
}

/** What git knows of the files of a folder; undefined where there is no repository or no git. */
export async function gitFiles(root: string): Promise<GitFiles | undefined> {
  try {
    // Git does not track a folder that its repository ignores.
    if (await isIgnored(root)) return undefined;
    const listed = await git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    return { paths: [...new Set(listed)], clean: await cleanFiles(root) };
  } catch {
    return undefined;
  }
}

/** Undefined when it is gone. */
export async function gitObject(root: string, object: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const { stdout } = await run('git', [...safely, 'cat-file', 'blob', object], {
      cwd: root,
      encoding: 'buffer',
      maxBuffer: MAX_BUFFER,
    });
    return Uint8Array.from(stdout);
  } catch {
    return undefined;
  }
}

async function cleanFiles(root: string): Promise<Map<string, CleanFile>> {
  const dirty = new Set(await git(root, ['diff-files', '-z', '--name-only', '--relative']));
  const added = (await git(root, ['ls-files', '-z', '--stage'])).flatMap((line) => {
    const [about = '', ...name] = line.split('\t');
    const [mode = '', object = ''] = about.split(' ');
    const path = name.join('\t');
    return mode.startsWith('100') && !dirty.has(path) ? [{ path, object }] : [];
  });
  const objects = added.map(({ object }) => `${object}\n`).join('');
  const sizes = (await git(root, ['cat-file', '--buffer', '--batch-check=%(objectsize)'], objects))
    .join('')
    .split('\n');
  return new Map(added.map(({ path, object }, index) => [path, { object, size: Number(sizes[index]) }]));
}

async function isIgnored(root: string): Promise<boolean> {
  try {
    await git(root, ['check-ignore', '-q', '.']);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 1) return false;
    throw error;
  }
}

/** Takes no locks, and does not start a watcher configured in the repository. */
const safely = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];

/** The output of a git command, as a list. Names that are not valid text are left out. */
async function git(root: string, args: readonly string[], input = ''): Promise<string[]> {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: MAX_BUFFER } as const;
  const asked = run('git', [...safely, ...args], options);
  // It may have ended before it has read everything.
  asked.child.stdin?.on('error', () => undefined).end(input);
  const { stdout } = await asked;
  return stdout.split('\0').filter((item) => item !== '' && !item.includes('\uFFFD'));
}
