import { lstat, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { BranchFileChange, ChangedLines } from '../../branchFiles.ts';
import { BranchFilesError } from '../../branchFilesError.ts';
import type { FileContent } from '../../workspaceFiles.ts';
import { git, gitList, gitText } from './gitCommand.ts';
import { copyIndex, environmentOf } from './ownRepository.ts';
import { contentAt, objectContent } from './treeContent.ts';

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
  /** Folders of other repositories, and files that could not be read, as paths below the work tree. */
  empty: z.array(z.string()),
  missing: z.array(z.string()),
});
export type BranchTree = z.infer<typeof branchTree>;

/**
 * What the branch changed below its folder.
 * @param maxFile how large a file may be, in bytes: it is in memory to be merged or kept
 * @throws BranchFilesError if one is larger
 */
export async function changesIn(tree: BranchTree, maxFile: number): Promise<BranchFileChange[]> {
  const { id, repositories } = await treeNow(tree);
  const command = { cwd: tree.workTree, env: environmentOf(tree) };
  const told = await gitList(['diff-tree', '-r', '-z', '-M', '--raw', tree.base, id], command);
  const prefix = path.relative(tree.workTree, tree.folder).replaceAll('\\', '/');
  const below = (name: string): string | undefined =>
    prefix === '' ? name : name.startsWith(`${prefix}/`) ? name.slice(prefix.length + 1) : undefined;
  const changes: BranchFileChange[] = [];
  for (let at = 0; at < told.length;) {
    const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = (told[at] ?? '')
      .replace(/^:/u, '')
      .split(' ');
    const isRenamed = status.startsWith('R');
    const [oldName = '', newName = oldName] = told.slice(at + 1, at + (isRenamed ? 3 : 2));
    at += isRenamed ? 3 : 2;
    const [oldPath, newPath] = [below(oldName), below(newName)];
    if (newMode === REPOSITORY && oldMode !== REPOSITORY) repositories.push(newName);
    // What was moved out of the folder is not followed.
    if (oldMode === REPOSITORY || newMode === REPOSITORY) continue;
    const before =
      status === 'A' || oldPath === undefined
        ? null
        : await objectContent(command, { name: oldName, mode: oldMode, id: oldId });
    const after =
      status === 'D' || newPath === undefined
        ? null
        : // A name that is no valid text can't be looked up.
          newName.includes('\uFFFD')
          ? await objectContent(command, { name: newName, mode: newMode, id: newId })
          : await contentUpTo(maxFile, path.join(tree.workTree, newName));
    const file = newPath ?? oldPath;
    if (file === undefined) continue;
    const moved = isRenamed && newPath !== undefined && oldPath !== undefined ? { oldPath } : {};
    changes.push({ folder: tree.source, path: file, ...moved, before, after });
  }
  for (const repository of repositories) {
    const cwd = path.join(tree.workTree, repository);
    for (const name of await gitList(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd,
    })) {
      const file = below(path.posix.join(repository, name));
      const after = file === undefined ? null : await contentUpTo(maxFile, path.join(cwd, name));
      if (file !== undefined && after) changes.push({ folder: tree.source, path: file, before: null, after });
    }
  }
  return changes;
}

export async function countLinesIn(tree: BranchTree): Promise<ChangedLines> {
  const { id } = await treeNow(tree);
  const args = ['diff-tree', '-r', '-M', '--numstat', tree.base, id];
  const text = await gitText(args, { cwd: tree.gitDir, env: environmentOf(tree) });
  const rows = text.split('\n').filter((row) => row !== '');
  const sum = (column: number): number =>
    rows.reduce((total, row) => total + (Number(row.split('\t')[column]) || 0), 0);
  return { files: rows.length, added: sum(0), removed: sum(1) };
}

/** Whether there is anything to keep; a change next to the folder counts as well. */
export async function hasChangesIn(tree: BranchTree): Promise<boolean> {
  const { id, repositories } = await treeNow(tree);
  const isExpected = (status: number): boolean => status === 1;
  const command = { cwd: tree.gitDir, env: environmentOf(tree), isExpected };
  const compared = await git(['diff-tree', '--quiet', tree.base, id], command);
  return repositories.length > 0 || compared.status !== 0;
}

/** How git marks a folder with a repository of its own. */
const REPOSITORY = '160000';

/**
 * The files as they are now, as a tree, without a change of what the agent's own git calls see; and the folders that are
 * repositories without a commit.
 */
async function treeNow(tree: BranchTree): Promise<{ id: string; repositories: string[] }> {
  const index = path.join(tree.gitDir, `index.${process.pid}.${crypto.randomUUID()}`);
  const command = { cwd: tree.workTree, env: { ...environmentOf(tree), GIT_INDEX_FILE: index } };
  try {
    if (!(await copyIndex(path.join(tree.gitDir, 'index'), index))) {
      await git(['read-tree', tree.base], command);
    }
    const isSparse =
      (await stat(path.join(tree.gitDir, 'info', 'sparse-checkout')).catch(() => undefined)) !== undefined;
    const isExpected = (status: number): boolean => status === 1;
    const options = ['--all', '--ignore-errors', ...(isSparse ? ['--sparse'] : [])];
    const added = await git(['add', ...options], { ...command, isExpected });
    const repositories: string[] = [];
    if (added.status !== 0) {
      const left = [
        ...(await gitList(['ls-files', '-z', '--others', '--exclude-standard'], command)),
        ...(await gitList(['diff-files', '-z', '--name-only'], command)),
      ];
      // A file that can't be read would be lost.
      if (left.length === 0 || left.some((name) => !name.endsWith('/'))) {
        throw new BranchFilesError('git-failed', added.problem);
      }
      repositories.push(...left);
    }
    return { id: await gitText(['write-tree', '--missing-ok'], command), repositories };
  } finally {
    await rm(index, { force: true });
  }
}

/** The process that has made a copy of the index for itself, by its name: it removes it. */
export function programOfIndex(name: string): number | undefined {
  const [, pid] = /^index\.(\d+)\./u.exec(name) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

async function contentUpTo(maxFile: number, file: string): Promise<FileContent | null> {
  const found = await lstat(file).catch(() => undefined);
  if (found && found.size > maxFile) {
    throw new BranchFilesError('too-large', `“${file}” has more than ${Math.round(maxFile / 1_000_000)} MB`);
  }
  return contentAt(file);
}
