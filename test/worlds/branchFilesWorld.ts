import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BranchFileChange, BranchFilesLimits, BranchFilesRecord } from '../../src/host/branchFiles.ts';
import { NodeBranchFiles } from '../../src/host/node/branchFiles/nodeBranchFiles.ts';
import { pathOf } from '../../src/host/node/fileUris.ts';
import { NodeFiles } from '../../src/host/node/nodeFiles.ts';
import { script } from './gitRepository.ts';
import { TestWorkspace } from './testWorkspace.ts';

export const limits: BranchFilesLimits = {
  link: ['node_modules'],
  copy: ['.env'],
  maxFiles: 1_000,
  maxBytes: 10_000_000,
};

export function branchFilesOf(
  workspace: TestWorkspace,
  {
    pid = process.pid,
    isAlive = () => true,
    maxFile,
  }: { pid?: number; isAlive?: () => boolean; maxFile?: number } = {},
): NodeBranchFiles {
  const owner = { pid, host: 'here', isAlive };
  return new NodeBranchFiles({
    files: new NodeFiles(),
    owner,
    folder: `${workspace.storage}/branches`,
    maxFile,
  });
}

export const make = (
  branches: NodeBranchFiles,
  workspace: TestWorkspace,
  more: Partial<BranchFilesLimits> & { id?: string } = {},
): Promise<BranchFilesRecord> => {
  const { id, ...less } = more;
  return branches.make({ id, chatId: 'c', folders: workspace.folders(), limits: { ...limits, ...less } });
};

export function folderOf({ folders }: BranchFilesRecord): string {
  return pathOf(folders[0]?.uri ?? assert.fail('it has no folder'));
}

/** Git gives what is written once more a new time, so that it isn't pruned; and a shared index when it is read. */
const isRenewed = (name: string): boolean => /(?:^|\/)(?:objects\/(?:..|pack)\/|sharedindex\.)/u.test(name);

/** Every file below a folder, by its kind, permissions, time and content; names are bytes. */
export async function everything(root: string): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  const look = async (folder: Buffer, below: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
      const file = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      const name = below + entry.name.toString('latin1');
      const { mode, mtimeMs } = await lstat(file);
      const hash = createHash('sha256');
      if (entry.isSymbolicLink()) hash.update(await readlink(file));
      else if (entry.isFile()) hash.update(await readFile(file));
      all[name] = `${mode} ${isRenewed(name) ? '' : mtimeMs} ${hash.digest('hex')}`;
      if (entry.isDirectory()) await look(file, `${name}/`);
    }
  };
  await look(Buffer.from(root), '');
  return all;
}

/** Changed, staged, new, ignored, executable and linked files in a repository. */
export async function repository(): Promise<TestWorkspace> {
  const workspace = await TestWorkspace.create({
    '.gitignore': 'node_modules/\n.env\ndist/\n',
    'kept.txt': 'one\ntwo\nthree\nfour\nfive\n',
    'old.txt': 'a file that is renamed\nwith two lines\n',
    'gone.txt': 'gone\n',
    'picture.bin': Uint8Array.of(0, 1, 2, 3),
    'below/deep.txt': 'deep\n',
  });
  await script(workspace, 'git init -q && git add -A && git commit -qm first');
  await workspace.put('kept.txt', 'one\ntwo\nthree\nfour\nfive\nnot committed\n');
  await workspace.put('staged.txt', 'staged\n');
  await script(workspace, 'git add staged.txt && git stash list && git rm -q --cached gone.txt');
  await workspace.put('new.txt', 'new\n');
  await workspace.put('.env', 'SECRET=1\n');
  await workspace.put('dist/out.js', 'built\n');
  await workspace.put('node_modules/pkg/index.js', 'pkg\n');
  return workspace;
}

export const named = (changes: readonly BranchFileChange[]): Record<string, string> =>
  Object.fromEntries(
    changes.map(({ path: file, oldPath, before, after }) => [
      oldPath === undefined ? file : `${oldPath} > ${file}`,
      [before, after].map((each) => (each ? new TextDecoder().decode(each.bytes) : '-')).join('|'),
    ]),
  );

/** A repository in which these files are committed. */
export async function committed(
  files: Readonly<Record<string, string | Uint8Array>>,
  init = 'git init -q',
): Promise<TestWorkspace> {
  const workspace = await TestWorkspace.create(files);
  await script(workspace, `${init} && git add -A && git commit -qm first`);
  return workspace;
}

/** Makes files for a branch, changes one there, and looks that nothing else has changed. */
export async function works(workspace: TestWorkspace, file: string, text: string): Promise<string> {
  const before = await everything(workspace.root);
  const branches = branchFilesOf(workspace);
  const made = await make(branches, workspace);
  assert.deepEqual(await branches.changes(made.id), []);
  const own = folderOf(made);
  const old = await readFile(path.join(own, file), 'utf8');
  await writeFile(path.join(own, file), text);
  assert.deepEqual(named(await branches.changes(made.id)), { [file]: `${old}|${text}` });
  assert.deepEqual(await everything(workspace.root), before);
  return own;
}

/** As a user has done once: a commit of theirs needs it. */
export async function nameAuthor(workspace: TestWorkspace): Promise<void> {
  await script(workspace, 'git config user.name a && git config user.email a@b.test');
}

/** Commits all that a branch changed, as it has it, to a new branch of the repository. */
export async function commitAll(branches: NodeBranchFiles, id: string, name: string): Promise<string> {
  const changes = await branches.changes(id);
  const { commit } = await branches.committed(changes[0]?.folder ?? assert.fail('nothing was changed'));
  const files = changes.flatMap(({ folder, path: file, oldPath, after }) => [
    { folder, path: file, content: after },
    ...(oldPath === undefined ? [] : [{ folder, path: oldPath, content: null }]),
  ]);
  return branches.createGitBranch({ name, message: 'An attempt', commit, files });
}
