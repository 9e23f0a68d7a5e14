import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The maximum output of git for one command, in bytes. */
const MAX_BUFFER = 100_000_000;

export interface CleanFile {
  /** The folder of its repository, as a path. */
  readonly repository: string;
  /** The object that holds it. */
  readonly object: string;
  readonly size: number;
}

export interface GitFiles {
  /**
   * All that is not ignored, as paths below the folder: files and links, some of which may be gone, and the folders of
   * submodules and of other repositories, whose files are theirs.
   */
  readonly paths: ReadonlySet<string>;
  /** By path, those that are as git has them. */
  readonly clean: ReadonlyMap<string, CleanFile>;
  /** Changes with what git keeps of its own: commits, branches, the index, settings, hooks. */
  readonly mark: string;
}

/** What git knows of the files of a folder; undefined where there is no repository or no git. */
export async function gitFiles(
  root: string,
  { withObjects }: { readonly withObjects: boolean },
): Promise<GitFiles | undefined> {
  try {
    // Git does not track a folder that its repository ignores.
    if (await isIgnored(root)) return undefined;
    const [listed, staged] = await Promise.all([
      git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']),
      git(root, ['ls-files', '-z', '--stage']),
    ]);
    return {
      paths: new Set(listed.map((name) => name.replace(/\/$/u, ''))),
      clean: withObjects ? await cleanFiles(root, staged) : new Map<string, CleanFile>(),
      mark: await markOf(root, staged),
    };
  } catch {
    return undefined;
  }
}

/** Undefined when it is gone. */
export async function gitObject({
  repository,
  object,
}: CleanFile): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const { stdout } = await run('git', [...safely, 'cat-file', 'blob', object], {
      cwd: repository,
      env: ownEnvironment(),
      encoding: 'buffer',
      maxBuffer: MAX_BUFFER,
    });
    return Uint8Array.from(stdout);
  } catch {
    return undefined;
  }
}

/** How long git may take to go through a history, in milliseconds. */
const HISTORY_MS = 10_000;

/** The commit that a history begins with, the oldest of several; undefined if it is not here, or git is not. */
export async function firstCommit(root: string): Promise<string | undefined> {
  const options = { cwd: root, env: ownEnvironment(), encoding: 'utf8', timeout: HISTORY_MS } as const;
  try {
    // What a shallow clone begins with is not where its history does.
    const shallow = await run('git', [...safely, 'rev-parse', '--is-shallow-repository'], options);
    if (shallow.stdout.trim() !== 'false') return undefined;
    const { stdout } = await run('git', [...safely, 'rev-list', '--max-parents=0', 'HEAD'], options);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .at(-1);
  } catch {
    return undefined;
  }
}

async function cleanFiles(root: string, staged: readonly string[]): Promise<ReadonlyMap<string, CleanFile>> {
  const dirty = new Set(await git(root, ['diff-files', '-z', '--name-only', '--relative']));
  const added = staged.flatMap((line) => {
    const [about = '', ...name] = line.split('\t');
    const [mode = '', object = ''] = about.split(' ');
    const file = name.join('\t');
    return mode.startsWith('100') && !dirty.has(file) ? [{ file, object }] : [];
  });
  const objects = added.map(({ object }) => `${object}\n`).join('');
  // In a clone without all objects, git would fetch them: it is not let, and the files are copied instead.
  const told = await git(root, ['cat-file', '--buffer', '--batch-check=%(objectsize)'], objects).catch(
    (): string[] => [],
  );
  const sizes = told.join('').split('\n');
  return new Map(
    added.flatMap(({ file, object }, index) => {
      const size = sizes[index] ?? '';
      // An object that is not here has words in place of its size.
      if (!/^\d+$/u.test(size)) return [];
      return [[file, { repository: root, object, size: Number(size) }] as const];
    }),
  );
}

/** What git has of its own besides the objects, by the names below its folder. */
const ownNames = 'HEAD config config.worktree packed-refs shallow refs logs hooks info'.split(' ');

/** How many of git's own files are looked at. */
const MAX_OWN_FILES = 10_000;

/** The index counts by what is in it: git writes it again just to look. */
async function markOf(root: string, staged: readonly string[]): Promise<string> {
  const mark = createHash('sha256').update(JSON.stringify(staged));
  const { stdout } = await run('git', [...safely, 'rev-parse', '--absolute-git-dir', '--git-common-dir'], {
    cwd: root,
    env: ownEnvironment(),
    encoding: 'utf8',
  });
  const folders = stdout.split('\n').filter((line) => line !== '');
  for (const folder of new Set(folders.map((each) => path.resolve(root, each)))) {
    // The list grows while it is gone through.
    const names = ownNames.map((name) => path.join(folder, name));
    for (const at of names) {
      const found = await lstat(at, { bigint: true }).catch(() => undefined);
      if (found?.isDirectory() && names.length < MAX_OWN_FILES) {
        const inside = await readdir(at).catch((): string[] => []);
        for (const name of inside.sort()) names.push(path.join(at, name));
      } else if (found?.isDirectory() === false) {
        mark.update(`${at} ${found.ino} ${found.size} ${found.mtimeNs}\n`);
      }
    }
  }
  return mark.digest('hex');
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
export const safely = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];

/** Without what would lead it to another repository, and without a way to reach any other machine. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !leadsElsewhere.has(name));
  return { ...Object.fromEntries(own), GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' };
}

const leadsElsewhere = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
]);

/** The output of a git command, as a list. Names that are not valid text are left out. */
async function git(root: string, args: readonly string[], input = ''): Promise<string[]> {
  const options = { cwd: root, env: ownEnvironment(), encoding: 'utf8', maxBuffer: MAX_BUFFER } as const;
  const asked = run('git', [...safely, ...args], options);
  // It may have ended before it has read everything.
  asked.child.stdin?.on('error', () => undefined).end(input);
  const { stdout } = await asked;
  return stdout.split('\0').filter((item) => item !== '' && !item.includes('\uFFFD'));
}
