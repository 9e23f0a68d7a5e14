import { appendFile, copyFile, mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';
import { hasCode } from '../openFolder.ts';
import { git, gitList, gitText } from './gitCommand.ts';

/** A repository of a branch, and the folder with its files. */
export interface OwnRepository {
  readonly gitDir: string;
  readonly workTree: string;
}

const writer = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Offshoot'],
    [`GIT_${role}_EMAIL`, 'offshoot@localhost'],
  ]),
);

export function environmentOf({ gitDir, workTree }: OwnRepository): Record<string, string> {
  return { GIT_DIR: gitDir, GIT_WORK_TREE: workTree, ...writer };
}

/** Git's own messages would name the folder of the branch: it has the name of the other. */
export async function ownRepository(place: string, original: string, format: string): Promise<OwnRepository> {
  const own = { gitDir: path.join(place, 'git'), workTree: path.join(place, path.basename(original)) };
  const options = ['--quiet', '--bare', '--template=', `--object-format=${format}`];
  await git(['init', ...options, own.gitDir], { cwd: place });
  await addSettings(own.gitDir, [
    ['core.bare', 'false'],
    ['core.worktree', own.workTree],
    ['core.hooksPath', devNull],
    ['core.fsmonitor', 'false'],
    ['gc.auto', '0'],
  ]);
  await mkdir(path.join(own.gitDir, 'info'), { recursive: true });
  await mkdir(path.join(own.gitDir, 'objects', 'info'), { recursive: true });
  await mkdir(own.workTree, { recursive: true });
  await writeFile(path.join(own.workTree, '.git'), `gitdir: ${own.gitDir}\n`);
  return own;
}

/** What of the user's settings decides how files are read and written; the rest stays in their repository. */
const usedSettings =
  /^(?:core\.(?:autocrlf|eol|safecrlf|filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|excludesfile|attributesfile|sparsecheckout|sparsecheckoutcone)|checkout\.(?:workers|thresholdforparallelism)|filter\..+|user\.(?:name|email))$/u;

/** Keys and values, as git names them. */
export type Settings = readonly (readonly [string, string])[];

export async function settingsOf(root: string, signal: AbortSignal | undefined): Promise<Settings> {
  const settings = await gitList(['config', '--includes', '-z', '--list'], { cwd: root, signal });
  return settings.flatMap((setting) => {
    const [key = '', ...value] = setting.split('\n');
    // One without a value is switched on.
    return usedSettings.test(key) ? [[key, value.length === 0 ? 'true' : value.join('\n')] as const] : [];
  });
}

export async function useSettings(
  gitDir: string,
  used: Settings,
  signal: AbortSignal | undefined,
): Promise<void> {
  await addSettings(gitDir, used);
  if (!used.some(([key]) => key.startsWith('filter.lfs.'))) return;
  const isExpected = (status: number): boolean => status === 1;
  const command = { cwd: gitDir, env: { GIT_DIR: gitDir }, signal, isExpected };
  const lfs = await git(['lfs', 'version'], command);
  // Without the program, git would refuse to read and write what is to go through it.
  if (lfs.status !== 0) {
    const none = ['clean', 'smudge', 'process'].map((name) => [`filter.lfs.${name}`, ''] as const);
    await addSettings(gitDir, [...none, ['filter.lfs.required', 'false']]);
  }
}

/** Those that git uses here have only one value, the last. Git itself would be run for each of them. */
async function addSettings(gitDir: string, settings: Settings): Promise<void> {
  const lines = settings.map(([key, value]) => {
    const [, section, subsection, name] = /^([^.]*)(?:\.(.*))?\.([^.]*)$/su.exec(key) ?? [];
    const header = subsection === undefined ? section : `${section} "${escaped(subsection)}"`;
    return `[${header}]\n\t${name} = "${escaped(value).replaceAll('\n', String.raw`\n`)}"\n`;
  });
  await appendFile(path.join(gitDir, 'config'), lines.join(''));
}

function escaped(text: string): string {
  return text.replaceAll(/["\\]/gu, String.raw`\$&`);
}

/** A file name in a pattern for what is ignored. No pattern can have a line end, but one for any character. */
export function ignoring(name: string): string {
  return `/${name.replaceAll(/[\\*?[\]!# ]/gu, String.raw`\$&`).replaceAll('\n', '?')}`;
}

export async function exclude(gitDir: string, lines: readonly string[]): Promise<void> {
  await writeFile(path.join(gitDir, 'info', 'exclude'), `${lines.join('\n')}\n`);
}

export async function commit(
  own: OwnRepository,
  tree: string,
  head: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  const command = { cwd: own.gitDir, env: environmentOf(own), signal };
  const parents = head === undefined ? [] : ['-p', head];
  return gitText(['commit-tree', tree, ...parents, '-m', 'State of the workspace'], command);
}

/** What the agent commits must not take the base away. */
export async function beginAt(
  own: OwnRepository,
  base: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const input = `update HEAD ${base}\nupdate refs/offshoot/base ${base}\n`;
  const command = { cwd: own.gitDir, env: environmentOf(own), signal, input };
  await git(['update-ref', '--no-deref', '--stdin'], command);
}

/**
 * It spares git to read the files that are as it knows them. It must not look younger than it is: what was written at
 * the same time has to be read.
 */
export async function copyIndex(from: string, to: string): Promise<boolean> {
  if (!(await copyIfThere(from, to))) return false;
  const { atime, mtimeMs } = await stat(from);
  await utimes(to, atime, Math.floor(mtimeMs / 1_000));
  return true;
}

export async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
