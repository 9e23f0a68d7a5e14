import { isGitName } from './fileNames.ts';
import { WorkspaceFileError } from './workspaceFiles.ts';

/** @throws WorkspaceFileError when it is absolute, leads upwards, or has another meaning on some system */
export function pathParts(path: string): string[] {
  const parts = path.split('/');
  for (const part of parts) {
    // On Windows a colon names a drive or a stream, a backslash separates, and trailing dots and blanks are ignored.
    if (part === '' || part === '.' || part === '..' || /[\\:\0]|[. ]$/u.test(part)) {
      throw new WorkspaceFileError('invalid-path', path);
    }
  }
  refuseGitNames(parts, path);
  return parts;
}

/** @throws WorkspaceFileError for the path `shown` when one of its parts means `.git` on some system */
export function refuseGitNames(parts: readonly string[], shown: string): void {
  if (parts.some(isGitName)) throw new WorkspaceFileError('git-repository', shown);
}

/**
 * A path as written by a model or an answer, with `/` between its parts: they write either slash.
 * @throws WorkspaceFileError when it has another meaning on some machine
 */
export function givenPath(given: string, { hasDrives }: { hasDrives: boolean }): string {
  const wanted = given.trim().replaceAll('\\', '/');
  if (/\p{Cc}/u.test(given)) throw new WorkspaceFileError('invalid-path', given);
  if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(wanted)) throw new WorkspaceFileError('invalid-path', given);
  // Other machines (`//server/share`, `\\?\C:`).
  if (wanted.startsWith('//')) throw new WorkspaceFileError('outside-workspace', given);
  // A drive on Windows; elsewhere in a name, a colon would mean a stream of a file.
  const isDrive = hasDrives && /^[a-z]:\//iu.test(wanted);
  if (/^[a-z]:/iu.test(wanted) && !isDrive) throw new WorkspaceFileError('outside-workspace', given);
  if (hasDrives && wanted.slice(2).includes(':')) throw new WorkspaceFileError('invalid-path', given);
  return wanted;
}

export function shownPath(folderCount: number, folderName: string, below: string): string {
  if (folderCount < 2) return below;
  return below === '' ? folderName : `${folderName}/${below}`;
}
