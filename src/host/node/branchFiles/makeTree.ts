import { lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BranchFilesLimits } from '../../branchFiles.ts';
import { BranchFilesError } from '../../branchFilesError.ts';
import { isInside } from '../workspaceRoots.ts';
import type { BranchTree } from './branchTree.ts';
import { CopiedAmount, copyFolder, copyIgnored } from './copyFolder.ts';
import { git, gitList, gitText } from './gitCommand.ts';
import {
  beginAt,
  commit,
  copyIfThere,
  copyIndex,
  environmentOf,
  exclude,
  ignoring,
  ownRepository,
  settingsOf,
  useSettings,
  type OwnRepository,
  type Settings,
} from './ownRepository.ts';

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
  readonly settings: Settings;
  readonly head: string | undefined;
}

const gitPaths = [
  'index',
  'objects',
  'shallow',
  'info/exclude',
  'info/attributes',
  'info/sparse-checkout',
] as const;

/** What is no repository for git, as it says; it may also be one that it does not dare to read. */
const noRepository = /not a git repository/u;

async function repositoryOf({ root, signal }: TreeSource): Promise<FoundRepository | undefined> {
  const command = { cwd: root, signal };
  const isExpected = (status: number): boolean => status === 128 || status === 1;
  const looking = ['rev-parse', '--is-inside-work-tree', '--show-object-format', '--show-prefix'];
  const inside = await git(looking, { ...command, isExpected });
  if (inside.status !== 0 && !noRepository.test(inside.problem)) {
    throw new BranchFilesError('git-failed', inside.problem);
  }
  const [isInside, format = '', prefix] = new TextDecoder().decode(inside.bytes).split('\n');
  if (isInside !== 'true') return undefined;
  const [ignored, top, head, paths, settings] = await Promise.all([
    prefix === '' ? undefined : git(['check-ignore', '-q', '.'], { ...command, isExpected }),
    gitText(['rev-parse', '--show-toplevel'], command),
    git(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { ...command, isExpected }),
    gitText(['rev-parse', ...gitPaths.flatMap((name) => ['--git-path', name])], command),
    settingsOf(root, signal),
  ]);
  // A folder that its repository ignores is a folder like any other.
  if (ignored?.status === 0) return undefined;
  return {
    top,
    format,
    paths: pathsIn(paths, root),
    settings,
    head: head.status === 0 ? new TextDecoder().decode(head.bytes).trim() : undefined,
  };
}

/** @param told a line for each path; names of folders may have line ends */
function pathsIn(told: string, root: string): FoundRepository['paths'] {
  const lines = new RegExp(`^${gitPaths.map((name) => `(.*?${name})`).join('\n')}$`, 'su');
  const [, ...found] = lines.exec(told) ?? [];
  return Object.fromEntries(
    gitPaths.map((name, index) => [name, path.resolve(root, found[index] ?? '')]),
  ) as FoundRepository['paths'];
}

async function fromRepository(source: TreeSource, found: FoundRepository): Promise<BranchTree> {
  const { root, place, except, limits, signal } = source;
  const { top, paths, head } = found;
  const amount = new CopiedAmount(limits);
  const listed = (...args: string[]) =>
    gitList(['ls-files', '-z', '--others', '--exclude-standard', ...args], { cwd: top, signal });
  const [others, ignored, own] = await allOf([
    listed(),
    listed('--ignored', '--directory'),
    ownRepository(place, top, found.format),
  ]);
  for (const name of others) {
    const size = await stat(path.join(top, name)).catch(() => undefined);
    if (!isInside(except, path.join(top, name)) && size?.isFile() === true) amount.add(size.size);
  }
  await writeFile(path.join(own.gitDir, 'objects', 'info', 'alternates'), alternate(paths.objects));
  for (const name of ['shallow', 'info/attributes', 'info/sparse-checkout'] as const) {
    await copyIfThere(paths[name], path.join(own.gitDir, name));
  }
  const shared = ignored.map((name) => name.replace(/\/$/u, '')).filter((name) => isWanted(name, limits));
  await exclude(own.gitDir, [
    await readFile(paths['info/exclude'], 'utf8').catch(() => ''),
    ...shared.map(ignoring),
    ...(isInside(top, except) ? [`${ignoring(path.relative(top, except).replaceAll('\\', '/'))}/`] : []),
  ]);
  await useSettings(own.gitDir, found.settings, signal);
  const { tree, unread } = await writeWorkspace(own.gitDir, found, signal);
  const base = await commit(own, tree, head, signal);
  const [{ hidden, repositories }] = await allOf([
    unusualFiles(own, signal),
    beginAt(own, base, signal),
    checkOut(own, signal),
    keepObjects(own, base, head, signal),
  ]);
  for (const name of hidden) {
    if (!(await isThere(path.join(top, name)))) continue;
    await rm(path.join(own.workTree, name), { force: true });
    await mkdir(path.dirname(path.join(own.workTree, name)), { recursive: true });
    const copied = { amount, except, without: new Set<string>(), signal };
    await copyIgnored(path.join(top, name), path.join(own.workTree, name), copied);
  }
  for (const name of shared) {
    const [from, to] = [path.join(top, name), path.join(own.workTree, name)];
    if (isInside(except, from) || !(await isThere(path.dirname(to)))) continue;
    if (limits.link.includes(path.basename(name))) await linkTo(from, to);
    else await copyIgnored(from, to, { amount, except, without: new Set(), signal });
  }
  const folder = path.join(own.workTree, path.relative(top, root));
  await mkdir(folder, { recursive: true });
  const uncommitted = unread.flatMap((name) => (name.endsWith('/') ? [name.slice(0, -1)] : []));
  const missing = unread.filter((name) => !name.endsWith('/'));
  const empty = [...repositories, ...uncommitted];
  return { ...aboutSource(source), ...own, folder, base, top, empty, missing };
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
    linked.push(ignoring(name));
  }
  await exclude(own.gitDir, linked);
  const env = environmentOf(own);
  await git(['add', '--all'], { cwd: own.workTree, env, signal });
  const tree = await gitText(['write-tree'], { cwd: own.workTree, env, signal });
  const base = await commit(own, tree, undefined, signal);
  await beginAt(own, base, signal);
  return { ...aboutSource(source), ...own, folder: own.workTree, base, empty: [], missing: [] };
}

function aboutSource({ source, name }: TreeSource): Pick<BranchTree, 'source' | 'name'> {
  return { source, name };
}

/** Waits for all even if one fails: what goes on would write where everything is removed. */
async function allOf<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [Each in keyof T]: Awaited<T[Each]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Git takes a line that begins with a quotation mark for one with escapes. */
function alternate(objects: string): string {
  const escaped = objects
    .replaceAll('\\', '/')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped}"\n`;
}

/**
 * The workspace as a tree: what is committed, changed and new, but not what is ignored. The index that it leaves says
 * which files of a sparse checkout are not there.
 */
async function writeWorkspace(
  gitDir: string,
  { top, paths, head }: FoundRepository,
  signal: AbortSignal | undefined,
): Promise<{ tree: string; unread: string[] }> {
  const index = path.join(gitDir, 'index.workspace');
  const command = {
    cwd: top,
    env: { GIT_DIR: gitDir, GIT_WORK_TREE: top, GIT_INDEX_FILE: index },
    signal,
  };
  if (await copyIndex(paths.index, index)) {
    const folder = path.dirname(paths.index);
    // One in parts.
    for (const name of (await readdir(folder)).filter((each) => each.startsWith('sharedindex.'))) {
      await copyIfThere(path.join(folder, name), path.join(gitDir, name));
    }
  } else await git(['read-tree', ...(head === undefined ? ['--empty'] : [head])], command);
  const isExpected = (status: number): boolean => status === 1;
  const added = await git(['add', '--all', '--ignore-errors'], { ...command, isExpected });
  const unread: string[] = [];
  if (added.status !== 0) {
    unread.push(...(await gitList(['ls-files', '-z', '--others', '--exclude-standard'], command)));
    unread.push(...(await gitList(['diff-files', '-z', '--name-only'], command)));
    if (unread.length === 0) throw new BranchFilesError('git-failed', added.problem);
  }
  // A clone may be without the objects of files that are not checked out.
  const tree = await gitText(['write-tree', '--missing-ok'], command);
  await rename(index, path.join(gitDir, 'index'));
  return { tree, unread };
}

interface UnusualFiles {
  /** Those that git is told to take for unchanged, or as not checked out; they may be there, and differ. */
  readonly hidden: readonly string[];
  /** Other repositories. */
  readonly repositories: readonly string[];
}

async function unusualFiles(own: OwnRepository, signal: AbortSignal | undefined): Promise<UnusualFiles> {
  const command = { cwd: own.workTree, env: environmentOf(own), signal };
  const rows = await gitText(['ls-files', '-z', '-v', '--stage'], command);
  // Few of very many: the others are not taken apart.
  const found = (pattern: RegExp): string[] => [...rows.matchAll(pattern)].map(([, name = '']) => name);
  return {
    hidden: found(/(?<=^|\0)[a-zS] [^\t]*\t([^\0]*)/gu),
    repositories: found(/(?<=^|\0). 160000 [^\t]*\t([^\0]*)/gu),
  };
}

async function checkOut(own: OwnRepository, signal: AbortSignal | undefined): Promise<void> {
  const command = { cwd: own.workTree, env: environmentOf(own), signal };
  await git(['checkout-index', '--all', '--index', '--quiet'], command);
}

/**
 * All that the base and the commit before it consist of, in a pack of the branch: the repository of the user may drop
 * what nothing there names any more. What git has in packs is copied as it is, so this takes less time than the files.
 */
async function keepObjects(
  own: OwnRepository,
  base: string,
  head: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const input = `${head === undefined ? '' : `--shallow ${head}\n`}${base}\n`;
  const options = ['--revs', '--missing=allow-any', '--window=0', '--delta-base-offset', '--quiet'];
  const pack = path.join(own.gitDir, 'objects', 'pack', 'pack');
  await git(['-c', 'pack.compression=1', 'pack-objects', ...options, pack], {
    cwd: own.gitDir,
    env: environmentOf(own),
    input,
    signal,
  });
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
