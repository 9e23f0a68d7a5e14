import { copyFile, lstat, mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { BranchFileChange, BranchFilesLimits, ChangedLines } from '../../branchFiles.ts';
import { BranchFilesError } from '../../branchFilesError.ts';
import type { FileContent } from '../../workspaceFiles.ts';
import { hasCode } from '../openFolder.ts';
import { isInside } from '../workspaceRoots.ts';
import { CopiedAmount, copyFolder, copyIgnored } from './copyFolder.ts';
import { git, gitList, gitText } from './gitCommand.ts';
import { contentAt } from './treeContent.ts';

/** The files of a branch in place of those of one workspace folder, with the repository that they are compared in. */
export const branchTree = z.object({
  /** The URI and the name of the workspace folder. */
  source: z.string(),
  name: z.string(),
  /** The path of the folder that stands for it: the work tree, or a folder in it. */
  folder: z.string(),
  workTree: z.string(),
  gitDir: z.string(),
  /** The commit with the files as they were made. */
  base: z.string(),
  /** The work tree of the repository that the workspace folder is in, as a path; undefined: in none. */
  top: z.string().optional(),
  empty: z.array(z.string()),
});
export type BranchTree = z.infer<typeof branchTree>;

export interface TreeSource {
  readonly source: string;
  readonly name: string;
  /** The path of the workspace folder. */
  readonly root: string;
  /** Where the repository and the files go: a folder that is there and empty. */
  readonly place: string;
  readonly limits: BranchFilesLimits;
  /** A folder that is never copied: that of the files of all branches. */
  readonly except: string;
  readonly signal?: AbortSignal | undefined;
}

/** What of the user's settings decides how files are read and written; the rest stays in their repository. */
const usedSettings =
  /^(?:core\.(?:autocrlf|eol|safecrlf|filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|excludesfile|attributesfile)|filter\..+|user\.(?:name|email))$/u;

const writer = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Offshoot'],
    [`GIT_${role}_EMAIL`, 'offshoot@localhost'],
  ]),
);

/** @throws BranchFilesError */
export async function makeTree(source: TreeSource): Promise<BranchTree> {
  const found = await repositoryOf(source);
  return found ? fromRepository(source, found) : fromFolder(source);
}

interface FoundRepository {
  readonly top: string;
  /** Paths of its own, by what git calls them. */
  readonly paths: Readonly<Record<(typeof gitPaths)[number], string>>;
  readonly format: string;
  readonly head: string | undefined;
}

const gitPaths = ['index', 'objects', 'shallow', 'info/exclude', 'info/attributes'] as const;

async function repositoryOf({ root, signal }: TreeSource): Promise<FoundRepository | undefined> {
  const command = { cwd: root, signal };
  const isExpected = (status: number): boolean => status === 128 || status === 1;
  const inside = await git(['rev-parse', '--is-inside-work-tree'], { ...command, isExpected });
  if (new TextDecoder().decode(inside.bytes).trim() !== 'true') return undefined;
  // A folder that its repository ignores is a folder like any other.
  if ((await git(['check-ignore', '-q', '.'], { ...command, isExpected })).status === 0) return undefined;
  const top = await gitText(['rev-parse', '--show-toplevel'], command);
  const names = gitPaths.flatMap((name) => ['--git-path', name]);
  const [format = 'sha1', ...paths] = (
    await gitText(['rev-parse', '--show-object-format', ...names], command)
  ).split('\n');
  const head = await git(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { ...command, isExpected });
  return {
    top,
    format,
    paths: Object.fromEntries(
      gitPaths.map((name, index) => [name, path.resolve(root, paths[index] ?? '')]),
    ) as FoundRepository['paths'],
    head: head.status === 0 ? new TextDecoder().decode(head.bytes).trim() : undefined,
  };
}

async function fromRepository(source: TreeSource, found: FoundRepository): Promise<BranchTree> {
  const { root, place, except, limits, signal } = source;
  const { top, paths, head } = found;
  const amount = new CopiedAmount(limits);
  const listed = (...args: string[]) =>
    gitList(['ls-files', '-z', '--others', ...args], { cwd: top, signal });
  for (const name of await listed('--exclude-standard')) {
    const size = await stat(path.join(top, name)).catch(() => undefined);
    if (!isInside(except, path.join(top, name)) && size?.isFile() === true) amount.add(size.size);
  }
  const ignored = await listed('--ignored', '--exclude-standard', '--directory');
  const own = await ownRepository(place, top, found.format);
  const alternates = path.join(own.gitDir, 'objects', 'info', 'alternates');
  await writeFile(alternates, `${paths.objects.replaceAll('\\', '/')}\n`);
  await copyIfThere(paths.shallow, path.join(own.gitDir, 'shallow'));
  await copyIfThere(paths['info/attributes'], path.join(own.gitDir, 'info', 'attributes'));
  const shared = ignored.map((name) => name.replace(/\/$/u, '')).filter((name) => isWanted(name, limits));
  await exclude(own.gitDir, [
    await readFile(paths['info/exclude'], 'utf8').catch(() => ''),
    ...shared.map((name) => `/${name}`),
    ...(isInside(top, except) ? [`/${path.relative(top, except).replaceAll('\\', '/')}/`] : []),
  ]);
  await copySettings(top, own.gitDir, signal);
  const tree = await writeWorkspace(own.gitDir, found, signal);
  const base = await commit(own, tree, head, signal);
  await checkOut(own, signal);
  for (const name of shared) {
    const [from, to] = [path.join(top, name), path.join(own.workTree, name)];
    if (isInside(except, from) || !(await isThere(path.dirname(to)))) continue;
    if (limits.link.includes(path.basename(name))) await linkTo(from, to);
    else await copyIgnored(from, to, { amount, except, without: new Set(), signal });
  }
  const folder = path.join(own.workTree, path.relative(top, root));
  await mkdir(folder, { recursive: true });
  return { ...aboutSource(source), ...own, folder, base, top, empty: await otherRepositories(own, base) };
}

async function fromFolder(source: TreeSource): Promise<BranchTree> {
  const { root, place, limits, except, signal } = source;
  const own = await ownRepository(place, root, 'sha1');
  const without = new Set(['.git', ...limits.link]);
  await copyFolder(root, own.workTree, { amount: new CopiedAmount(limits), without, except, signal });
  const linked: string[] = [];
  for (const name of limits.link) {
    if (!(await isThere(path.join(root, name)))) continue;
    await linkTo(path.join(root, name), path.join(own.workTree, name));
    linked.push(`/${name}`);
  }
  await exclude(own.gitDir, linked);
  await writeFile(path.join(own.workTree, '.git'), `gitdir: ${own.gitDir}\n`);
  const env = environmentOf(own);
  await git(['add', '--all'], { cwd: own.workTree, env, signal });
  const tree = await gitText(['write-tree'], { cwd: own.workTree, env, signal });
  const base = await commit(own, tree, undefined, signal);
  return { ...aboutSource(source), ...own, folder: own.workTree, base, empty: [] };
}

/** What the branch changed below its folder. */
export async function changesIn(tree: BranchTree): Promise<BranchFileChange[]> {
  const now = await treeNow(tree);
  const command = { cwd: tree.gitDir, env: environmentOf(tree) };
  const told = await gitList(['diff-tree', '-r', '-z', '-M', '--raw', tree.base, now], command);
  const prefix = path.relative(tree.workTree, tree.folder).replaceAll('\\', '/');
  const below = (name: string): string | undefined =>
    prefix === '' ? name : name.startsWith(`${prefix}/`) ? name.slice(prefix.length + 1) : undefined;
  const changes: BranchFileChange[] = [];
  for (let at = 0; at < told.length;) {
    const [oldMode = '', newMode = '', , , status = ''] = (told[at] ?? '').replace(/^:/u, '').split(' ');
    const isRenamed = status.startsWith('R');
    const [oldName = '', newName = oldName] = told.slice(at + 1, at + (isRenamed ? 3 : 2));
    at += isRenamed ? 3 : 2;
    const [oldPath, newPath] = [below(oldName), below(newName)];
    // What is a repository of its own, or was moved out of the folder, is not followed.
    if (oldMode === '160000' || newMode === '160000') continue;
    const before =
      status === 'A' || oldPath === undefined ? null : await contentOfBase(tree, oldName, oldMode);
    const after =
      status === 'D' || newPath === undefined ? null : await contentAt(path.join(tree.workTree, newName));
    const file = newPath ?? oldPath;
    if (file === undefined) continue;
    const moved = isRenamed && newPath !== undefined && oldPath !== undefined ? { oldPath } : {};
    changes.push({ folder: tree.source, path: file, ...moved, before, after });
  }
  return changes;
}

export async function countLinesIn(tree: BranchTree): Promise<ChangedLines> {
  const now = await treeNow(tree);
  const args = ['diff-tree', '-r', '-M', '--numstat', tree.base, now];
  const text = await gitText(args, { cwd: tree.gitDir, env: environmentOf(tree) });
  const rows = text.split('\n').filter((row) => row !== '');
  const sum = (column: number): number =>
    rows.reduce((total, row) => total + (Number(row.split('\t')[column]) || 0), 0);
  return { files: rows.length, added: sum(0), removed: sum(1) };
}

/** Gives the repository of the workspace a branch whose only commit has all that the work tree has. */
export async function createGitBranchFrom(tree: BranchTree, name: string, message: string): Promise<string> {
  const { top, gitDir } = tree;
  if (top === undefined) throw new BranchFilesError('no-repository', tree.name);
  const ref = `refs/heads/${name}`;
  const isExpected = (status: number): boolean => status === 1;
  const known = await git(['show-ref', '--verify', '--quiet', ref], { cwd: top, isExpected });
  if (known.status === 0) throw new BranchFilesError('branch-exists', name);
  const command = { cwd: gitDir, env: environmentOf(tree) };
  const [, parent] = (await gitText(['rev-list', '--parents', '-n', '1', tree.base], command)).split(' ');
  const parents = parent === undefined ? [] : ['-p', parent];
  const made = await gitText(['commit-tree', await treeNow(tree), ...parents, '-F', '-'], {
    ...command,
    input: message,
  });
  await gitText(['update-ref', 'refs/offshoot/branch', made], command);
  const options = ['--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--quiet'];
  await git(['fetch', ...options, gitDir, `refs/offshoot/branch:${ref}`], {
    cwd: top,
    // It comes from a folder of this machine, and from no other.
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  });
  return made;
}

function aboutSource({ source, name }: TreeSource): Pick<BranchTree, 'source' | 'name'> {
  return { source, name };
}

type OwnRepository = Pick<BranchTree, 'gitDir' | 'workTree'>;

/** Git's own messages would name the folder of the branch: it has the name of the other. */
async function ownRepository(place: string, original: string, format: string): Promise<OwnRepository> {
  const own = { gitDir: path.join(place, 'git'), workTree: path.join(place, path.basename(original)) };
  const options = ['--quiet', '--bare', '--template=', `--object-format=${format}`];
  await git(['init', ...options, own.gitDir], { cwd: place });
  const settings = [
    ['core.bare', 'false'],
    ['core.worktree', own.workTree],
    ['core.hooksPath', devNull],
    ['gc.auto', '0'],
  ];
  for (const [key = '', value = ''] of settings)
    await git(['config', key, value], { cwd: own.gitDir, env: { GIT_DIR: own.gitDir } });
  await mkdir(path.join(own.gitDir, 'info'), { recursive: true });
  await mkdir(path.join(own.gitDir, 'objects', 'info'), { recursive: true });
  await mkdir(own.workTree, { recursive: true });
  return own;
}

function environmentOf({ gitDir, workTree }: OwnRepository): Record<string, string> {
  return { GIT_DIR: gitDir, GIT_WORK_TREE: workTree, ...writer };
}

async function copySettings(top: string, gitDir: string, signal: AbortSignal | undefined): Promise<void> {
  const settings = await gitList(['config', '--local', '--includes', '-z', '--list'], { cwd: top, signal });
  for (const setting of settings) {
    const [key = '', ...value] = setting.split('\n');
    if (!usedSettings.test(key)) continue;
    await git(['config', '--add', key, value.join('\n')], { cwd: gitDir, env: { GIT_DIR: gitDir }, signal });
  }
}

/** The workspace as a tree: what is committed, changed and new, but not what is ignored. */
async function writeWorkspace(
  gitDir: string,
  { top, paths, head }: FoundRepository,
  signal: AbortSignal | undefined,
): Promise<string> {
  const index = path.join(gitDir, 'index.workspace');
  const command = {
    cwd: top,
    env: { GIT_DIR: gitDir, GIT_WORK_TREE: top, GIT_INDEX_FILE: index },
    signal,
  };
  if (await copyIndex(paths.index, index)) {
    try {
      await git(['add', '--all'], command);
      return await gitText(['write-tree'], command);
    } catch (error) {
      // An index in parts, or one that is damaged, can't be used elsewhere: then every file is read.
      if (signal?.aborted === true || !(error instanceof BranchFilesError)) throw error;
    }
  }
  await git(['read-tree', ...(head === undefined ? ['--empty'] : [head])], command);
  await git(['add', '--all'], command);
  return gitText(['write-tree'], command);
}

/**
 * It spares git to read the files that are as it knows them. It must not look younger than it is: what was written at
 * the same time has to be read.
 */
async function copyIndex(from: string, to: string): Promise<boolean> {
  if (!(await copyIfThere(from, to))) return false;
  const { atime, mtimeMs } = await stat(from);
  await utimes(to, atime, Math.floor(mtimeMs / 1_000));
  return true;
}

async function commit(
  own: OwnRepository,
  tree: string,
  head: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  const command = { cwd: own.gitDir, env: environmentOf(own), signal };
  const parents = head === undefined ? [] : ['-p', head];
  const base = await gitText(['commit-tree', tree, ...parents, '-m', 'State of the workspace'], command);
  await git(['update-ref', '--no-deref', 'HEAD', base], command);
  // What the agent commits must not take the base away.
  await git(['update-ref', 'refs/offshoot/base', base], command);
  return base;
}

async function checkOut(own: OwnRepository, signal: AbortSignal | undefined): Promise<void> {
  const command = { cwd: own.workTree, env: environmentOf(own), signal };
  await writeFile(path.join(own.workTree, '.git'), `gitdir: ${own.gitDir}\n`);
  await git(['read-tree', 'HEAD'], command);
  await git(['checkout-index', '--all', '--index', '--quiet'], command);
}

async function exclude(gitDir: string, lines: readonly string[]): Promise<void> {
  await writeFile(path.join(gitDir, 'info', 'exclude'), `${lines.join('\n')}\n`);
}

async function otherRepositories(own: OwnRepository, base: string): Promise<string[]> {
  const all = await gitList(['ls-tree', '-r', '-z', base], { cwd: own.gitDir, env: environmentOf(own) });
  return all.flatMap((row) => (row.startsWith('160000') ? [row.slice(row.indexOf('\t') + 1)] : []));
}

/** The files as they are now, as a tree, without a change of what the agent's own git calls see. */
async function treeNow(tree: BranchTree): Promise<string> {
  const index = path.join(tree.gitDir, `index.${crypto.randomUUID()}`);
  const command = { cwd: tree.workTree, env: { ...environmentOf(tree), GIT_INDEX_FILE: index } };
  try {
    if (!(await copyIndex(path.join(tree.gitDir, 'index'), index))) {
      await git(['read-tree', tree.base], command);
    }
    await git(['add', '--all'], command);
    return await gitText(['write-tree'], command);
  } finally {
    await rm(index, { force: true });
  }
}

async function contentOfBase(tree: BranchTree, name: string, mode: string): Promise<FileContent> {
  const command = { cwd: tree.workTree, env: environmentOf(tree) };
  const isLink = mode === '120000';
  const how = isLink ? ['blob'] : ['--filters'];
  const { bytes } = await git(['cat-file', ...how, `${tree.base}:${name}`], command);
  return isLink
    ? { bytes, mode: undefined, kind: 'link' }
    : { bytes, mode: mode === '100755' ? 0o755 : 0o644 };
}

function isWanted(name: string, { link, copy }: BranchFilesLimits): boolean {
  return [...link, ...copy].includes(path.basename(name));
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

async function linkTo(from: string, to: string): Promise<void> {
  if (await isThere(to)) return;
  const isFolder = (await stat(from).catch(() => undefined))?.isDirectory() === true;
  // Windows lets everybody make a junction, but not a link.
  await symlink(from, to, isFolder ? 'junction' : 'file');
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
