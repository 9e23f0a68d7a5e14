import { givenPath } from '../pathSyntax.ts';
import { uriBelow } from '../fileUri.ts';
import { whichFolder } from '../folderNames.ts';
import { WorkspaceFileError, type FileLocation, type OpenedFolder } from '../workspaceFiles.ts';

export function uriAt({ folder, path }: FileLocation): string {
  return path === '' ? folder : uriBelow(folder, path);
}

/** In the innermost open folder; undefined outside of all. */
export function locationOf(folders: readonly OpenedFolder[], uri: string): FileLocation | undefined {
  return folders
    .flatMap(({ uri: folder }) => {
      const path = pathBelow(folder, uri);
      return path === undefined ? [] : [{ folder, path }];
    })
    .sort((a, b) => b.folder.length - a.folder.length)
    .at(0);
}

function pathBelow(folder: string, uri: string): string | undefined {
  const root = folder.replace(/\/$/u, '');
  if (uri === root || uri === `${root}/`) return '';
  if (!uri.startsWith(`${root}/`)) return undefined;
  // A URI with a query or a fragment is not a file.
  if (/[?#]/u.test(uri)) return undefined;
  try {
    const path = decodeURIComponent(uri.slice(root.length + 1)).replace(/\/$/u, '');
    return isWithin(path.split('/')) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** There are no links to resolve here. @throws WorkspaceFileError */
export function namedLocation(folders: readonly OpenedFolder[], given: string): FileLocation {
  if (folders.length === 0) throw new WorkspaceFileError('no-folder', given);
  const wanted = givenPath(given, { hasDrives: false });
  if (wanted.startsWith('/')) {
    for (const folder of folders) {
      const root = folderPath(folder.uri);
      const parts = lexical(wanted, given);
      const rootParts = root.split('/').filter((part) => part !== '');
      if (rootParts.every((part, index) => parts[index] === part)) {
        return { folder: folder.uri, path: parts.slice(rootParts.length).join('/') };
      }
    }
    throw new WorkspaceFileError('outside-workspace', given);
  }
  const parts = wanted.split('/').filter((part) => part !== '' && part !== '.');
  const [first, ...others] = folders;
  if (first && others.length === 0)
    return { folder: first.uri, path: lexical(parts.join('/'), given).join('/') };
  const named = folders.find(({ name }) => name === parts[0]);
  if (!named) throw whichFolder(folders, parts, given);
  return { folder: named.uri, path: lexical(parts.slice(1).join('/'), given).join('/') };
}

/** The parts of a path, with `..` resolved. @throws WorkspaceFileError when they lead outside */
function lexical(path: string, given: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw new WorkspaceFileError('outside-workspace', given);
  }
  return parts;
}

function isWithin(parts: readonly string[]): boolean {
  return !parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'));
}

function folderPath(uri: string): string {
  const path = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#]*)?([^?#]*)/iu.exec(uri)?.[1] ?? '';
  return decodeURIComponent(path);
}
