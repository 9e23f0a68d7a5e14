import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { whichFolder } from '../folderNames.ts';
import { givenPath } from '../pathSyntax.ts';
import { WorkspaceFileError, type WorkspaceFolder } from '../workspaceFiles.ts';
import { hasCode } from './openFolder.ts';

export interface WorkspaceRoot {
  readonly folder: WorkspaceFolder;
  /** Its real path. */
  readonly root: string;
}

/** `rest`: the parts of the path below the folder. @throws WorkspaceFileError */
export async function namedFolder(
  folders: readonly WorkspaceFolder[],
  given: string,
): Promise<{ folder: WorkspaceFolder; rest: string[] }> {
  const wanted = givenPath(given, { hasDrives: process.platform === 'win32' });
  if (path.isAbsolute(wanted)) {
    for (const folder of folders) {
      const real = await realpath(folder.root).catch(() => folder.root);
      // The folder may have been opened through a link and be named by its target, or vice versa.
      for (const root of [folder.root, real]) {
        if (isInside(root, path.resolve(wanted))) {
          return { folder, rest: relativeParts(root, path.resolve(wanted)) };
        }
      }
    }
    throw new WorkspaceFileError('outside-workspace', given);
  }
  const parts = wanted.split('/').filter((part) => part !== '' && part !== '.');
  const [first, ...others] = folders;
  if (first && others.length === 0) return { folder: first, rest: parts };
  const named = folders.find(({ name }) => name === parts[0]);
  if (named) return { folder: named, rest: parts.slice(1) };
  throw whichFolder(folders, parts, given);
}

/** Its last parts need not exist. A dangling link is rejected: writing through it would go to an unknown place. */
export async function resolveLinks(target: string, given: string): Promise<string> {
  const missing: string[] = [];
  for (let at = target; ; at = path.dirname(at)) {
    try {
      return path.join(await realpath(at), ...missing);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) {
        throw new WorkspaceFileError('unreachable', given, { cause: error });
      }
    }
    const found = await lstat(at).catch(() => undefined);
    if (found?.isSymbolicLink() === true || path.dirname(at) === at) {
      throw new WorkspaceFileError('outside-workspace', given);
    }
    missing.unshift(path.basename(at));
  }
}

/** Of nested folders, the innermost one owns a file. */
export function innermost(roots: readonly WorkspaceRoot[], real: string): WorkspaceRoot | undefined {
  return roots
    .filter(({ root }) => isInside(root, real))
    .sort((a, b) => b.root.length - a.root.length)
    .at(0);
}

/** Whether a path is `root` or below it. */
export function isInside(root: string, target: string): boolean {
  const relative = path.relative(root, target);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}

export function relativeParts(root: string, target: string): string[] {
  return path
    .relative(root, target)
    .split(path.sep)
    .filter((part) => part !== '');
}
