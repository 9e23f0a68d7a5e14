import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { protectionOf, type ProtectionReason } from '../../../platform/protectedFiles.ts';
import { ToolError } from '../tool.ts';

/** A folder the person has opened. */
export interface WorkspaceFolder {
  readonly name: string;
  readonly uri: string;
  /** Where it is on this machine. */
  readonly root: string;
}

/** A place in a workspace folder, after links were followed and it was checked that they lead nowhere else. */
export interface WorkspacePath {
  /** URI of the workspace folder. */
  readonly folder: string;
  /** Below the folder, parts joined by `/`; empty for the folder itself. */
  readonly path: string;
  /** The real file on this machine. */
  readonly fsPath: string;
  /** As the model and the person name it: with the folder's name where several are open. */
  readonly shown: string;
  /** Why a change of it is asked for each time; undefined when it need not be. */
  readonly protection: ProtectionReason | undefined;
}

/**
 * Finds the place a model names, or refuses it. What it may name lies in one of the folders, also after every link on
 * the way is followed; nothing is created here.
 * @throws ToolError
 */
export async function resolvePath(
  folders: readonly WorkspaceFolder[],
  given: string,
): Promise<WorkspacePath> {
  if (folders.length === 0) throw new ToolError('No folder is open in the editor.', 'no-folder');
  const wanted = checkedSyntax(given);
  const { folder, rest } = await folderOf(folders, wanted, given);
  const lexical = path.resolve(folder.root, ...rest);
  if (!isInside(folder.root, lexical)) throw outside(given);
  const realRoot = await realpath(folder.root);
  const real = await realPathOf(lexical, given);
  if (!isInside(realRoot, real)) throw outside(given);
  const below = relativeParts(realRoot, real);
  return {
    folder: folder.uri,
    path: below.join('/'),
    fsPath: real,
    shown: shownPath(folders, folder, below.join('/')),
    // Both the name that was asked for and what it leads to: a link must not hide either.
    protection: protectionOf(below.join('/')) ?? protectionOf(relativeParts(folder.root, lexical).join('/')),
  };
}

/** A path as the model and the person name it. */
export function shownPath(
  folders: readonly WorkspaceFolder[],
  folder: WorkspaceFolder,
  below: string,
): string {
  if (folders.length < 2) return below;
  return below === '' ? folder.name : `${folder.name}/${below}`;
}

/** Refuses what looks like a path and is something else on some machine. Models write either slash. */
function checkedSyntax(given: string): string {
  const wanted = given.trim().replaceAll('\\', '/');
  if (/\p{Cc}/u.test(given)) throw new ToolError('A path cannot hold control characters.', 'invalid-path');
  if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(wanted)) {
    throw new ToolError('Give a path, not an address with a scheme.', 'invalid-path');
  }
  // Other machines (`//server/share`, `\\?\C:`).
  if (wanted.startsWith('//')) throw outside(given);
  // A drive, where there are none; elsewhere in a name, a colon would mean a stream behind a file.
  const isDrive = process.platform === 'win32' && /^[a-z]:\//iu.test(wanted);
  if (/^[a-z]:/iu.test(wanted) && !isDrive) throw outside(given);
  if (process.platform === 'win32' && wanted.slice(2).includes(':')) {
    throw new ToolError('A path cannot hold a colon.', 'invalid-path');
  }
  return wanted;
}

async function folderOf(
  folders: readonly WorkspaceFolder[],
  wanted: string,
  given: string,
): Promise<{ folder: WorkspaceFolder; rest: string[] }> {
  if (path.isAbsolute(wanted)) {
    for (const folder of folders) {
      // The folder may be known by a link to it, and named by what that leads to, or the other way round.
      for (const root of [folder.root, await realpath(folder.root)]) {
        if (isInside(root, path.resolve(wanted))) {
          return { folder, rest: relativeParts(root, path.resolve(wanted)) };
        }
      }
    }
    throw outside(given);
  }
  const parts = wanted.split('/').filter((part) => part !== '' && part !== '.');
  const [first, ...others] = folders;
  if (first && others.length === 0) return { folder: first, rest: parts };
  const named = folders.find(({ name }) => name === parts[0]);
  if (named) return { folder: named, rest: parts.slice(1) };
  const names = folders.map(({ name }) => `${name}/`).join(', ');
  throw new ToolError(`Several folders are open. Begin the path with one of: ${names}`, 'which-folder');
}

/**
 * The path with all links followed, also where its last parts do not exist yet. A link that leads nowhere is refused:
 * writing through it would make a file who knows where.
 */
async function realPathOf(target: string, given: string): Promise<string> {
  const missing: string[] = [];
  for (let at = target; ; at = path.dirname(at)) {
    try {
      return path.join(await realpath(at), ...missing);
    } catch (error) {
      if (!isMissing(error)) throw notReached(given, error);
    }
    if (await isLink(at)) throw outside(given);
    if (path.dirname(at) === at) throw outside(given);
    missing.unshift(path.basename(at));
  }
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    // It is not there at all.
    return false;
  }
}

function isInside(root: string, target: string): boolean {
  const relative = path.relative(root, target);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}

function relativeParts(root: string, target: string): string[] {
  return path
    .relative(root, target)
    .split(path.sep)
    .filter((part) => part !== '');
}

function outside(given: string): ToolError {
  return new ToolError(
    `“${given}” is not in the folders that are open in the editor. Only files there can be used.`,
    'outside-workspace',
  );
}

function notReached(given: string, error: unknown): ToolError {
  return new ToolError(`“${given}” cannot be reached.`, 'not-reached', { cause: error });
}

/** `ENOTDIR`: a part of the way is a file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
