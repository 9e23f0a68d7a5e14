import { stat } from 'node:fs/promises';
import path from 'node:path';
import { BranchFilesError } from '../../branchFilesError.ts';
import type { CommittedFiles, NewGitBranch } from '../../committedFiles.ts';
import type { FileContent } from '../../workspaceFiles.ts';
import { pathOf } from '../fileUris.ts';
import { git, gitList, gitText } from './gitCommand.ts';
import { objectContent } from './treeContent.ts';

const EXECUTABLE = 0o100;

/** @param folder the path of a workspace folder @throws BranchFilesError */
export async function committedIn(folder: string): Promise<CommittedFiles> {
  const { top, prefix } = await placeOf(folder);
  const commit = await lastCommit(top);
  return {
    repository: top,
    commit,
    remote: await remoteOf(top),
    hasGitHubTool: await isProgram('gh'),
    contentAt: async (file) => {
      const name = `${prefix}${file}`;
      const found = commit === undefined ? undefined : await entryAt(top, commit, name);
      return found?.type === 'blob' ? objectContent({ cwd: top }, { ...found, name }) : null;
    },
  };
}

/**
 * Gives the repository a branch with one commit more, whose files differ only in those that are given. Its index, its
 * work tree and its other branches stay as they are. @returns the id of the commit
 */
export async function createGitBranch({ name, message, files, commit }: NewGitBranch): Promise<string> {
  const changes: Changes = new Map();
  const prefixes = new Map<string, string>();
  let top = '';
  for (const { folder, path: file, content } of files) {
    let prefix = prefixes.get(folder);
    if (prefix === undefined) {
      ({ top, prefix } = await placeOf(pathOf(folder)));
      prefixes.set(folder, prefix);
    }
    const full = `${prefix}${file}`;
    const before = commit === undefined ? undefined : await entryAt(top, commit, full);
    plan(changes, full.split('/'), content && (await storedIn(top, full, content, before)));
  }
  await git(['check-ref-format', '--branch', name], { cwd: top });
  const ref = `refs/heads/${name}`;
  const isExpected = (status: number): boolean => status === 1;
  const known = await git(['show-ref', '--verify', '--quiet', ref], { cwd: top, isExpected });
  if (known.status === 0) throw new BranchFilesError('branch-exists', name);
  const tree = (await treeWith(top, commit, changes)) ?? (await made(top, []));
  const parents = commit === undefined ? [] : ['-p', commit];
  const id = await gitText(['commit-tree', tree, ...parents, '-F', '-'], { cwd: top, input: message });
  // Another program may have made it by now: then this fails.
  await git(['update-ref', ref, id, ''], { cwd: top });
  return id;
}

/** Of a folder: the work tree it is in, and where in it, with a slash at the end. */
async function placeOf(folder: string): Promise<{ readonly top: string; readonly prefix: string }> {
  // One call for each: a name may have line ends.
  const ask = async (option: string): Promise<string> => {
    const isExpected = (status: number): boolean => status === 128;
    const { bytes } = await git(['rev-parse', option], { cwd: folder, isExpected });
    return new TextDecoder().decode(bytes).replace(/\n$/u, '');
  };
  const top = await ask('--show-toplevel');
  if (top === '') throw new BranchFilesError('no-repository', folder);
  return { top, prefix: await ask('--show-prefix') };
}

async function lastCommit(top: string): Promise<string | undefined> {
  const isExpected = (status: number): boolean => status === 1;
  const { status, bytes } = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    cwd: top,
    isExpected,
  });
  return status === 0 ? new TextDecoder().decode(bytes).trim() : undefined;
}

/** The remote of the current branch, else `origin`, else the only one. */
async function remoteOf(top: string): Promise<string | undefined> {
  const isExpected = (status: number): boolean => status === 1;
  const asked = async (args: readonly string[]): Promise<string> =>
    new TextDecoder().decode((await git(args, { cwd: top, isExpected })).bytes).trim();
  const remotes = (await asked(['remote'])).split('\n').filter((each) => each !== '');
  const branch = await asked(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const ofBranch = branch === '' ? '' : await asked(['config', '--get', `branch.${branch}.remote`]);
  return [ofBranch, 'origin', remotes.length === 1 ? remotes[0] : ''].find(
    (each) => each !== undefined && remotes.includes(each),
  );
}

/** Whether a shell would find it. */
async function isProgram(name: string): Promise<boolean> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    if (await stat(path.join(folder, file)).catch(() => undefined)) return true;
  }
  return false;
}

interface Entry {
  readonly mode: string;
  readonly type: string;
  readonly id: string;
}

/** By name; null: it goes; a map: what changes in a folder. */
type Changes = Map<string, Entry | null | Changes>;

function plan(changes: Changes, [name = '', ...below]: readonly string[], entry: Entry | null): void {
  if (below.length === 0) {
    // A file takes the place of a folder, and a folder that of a file that goes.
    if (entry || !(changes.get(name) instanceof Map)) changes.set(name, entry);
    return;
  }
  const known = changes.get(name);
  const inside: Changes = known instanceof Map ? known : new Map<string, Entry | null | Changes>();
  changes.set(name, inside);
  plan(inside, below, entry);
}

/** Reads only the folders on the way to what changes. @returns undefined if nothing is left in it */
async function treeWith(
  top: string,
  base: string | undefined,
  changes: Changes,
): Promise<string | undefined> {
  const entries = new Map(base === undefined ? [] : await entriesIn(top, base));
  for (const [name, change] of changes) {
    const before = entries.get(name);
    if (change instanceof Map) {
      const id = await treeWith(top, before?.type === 'tree' ? before.id : undefined, change);
      if (id !== undefined) entries.set(name, { mode: '040000', type: 'tree', id });
      else if (before?.type === 'tree') entries.delete(name);
    } else if (change) entries.set(name, change);
    else entries.delete(name);
  }
  return entries.size === 0 ? undefined : made(top, [...entries]);
}

function made(top: string, entries: readonly (readonly [string, Entry])[]): Promise<string> {
  const lines = entries.map(([name, { mode, type, id }]) => `${mode} ${type} ${id}\t${name}\0`);
  return gitText(['mktree', '-z', '--missing'], { cwd: top, input: lines.join('') });
}

async function entriesIn(
  top: string,
  tree: string,
  ...paths: readonly string[]
): Promise<(readonly [string, Entry])[]> {
  const command = { cwd: top, env: { GIT_LITERAL_PATHSPECS: '1' } };
  const listed = await gitList(['ls-tree', '-z', '--full-tree', tree, ...paths], command);
  return listed.map((line) => {
    const [about = '', ...name] = line.split('\t');
    const [mode = '', type = '', id = ''] = about.split(' ');
    return [name.join('\t'), { mode, type, id }] as const;
  });
}

async function entryAt(top: string, commit: string, name: string): Promise<Entry | undefined> {
  return (await entriesIn(top, commit, '--', name)).find(([found]) => found === name)?.[1];
}

/** As git stores it; where the disk knows nothing of executable files, a file stays what it was. */
async function storedIn(
  top: string,
  name: string,
  { bytes, kind, mode }: FileContent,
  before: Entry | undefined,
): Promise<Entry> {
  const isLink = kind === 'link';
  const how = isLink ? '--no-filters' : `--path=${name}`;
  const id = await gitText(['hash-object', '-w', '--stdin', how], { cwd: top, input: bytes });
  if (isLink) return { mode: '120000', type: 'blob', id };
  const known = before?.mode === '100755' ? '100755' : '100644';
  const own = mode === undefined ? known : (mode & EXECUTABLE) === 0 ? '100644' : '100755';
  return { mode: own, type: 'blob', id };
}
