import { isGitName } from './fileNames.ts';
import { WorkspaceFileError } from './workspaceFiles.ts';

/**
 * The parts of a path below a workspace folder.
 * @throws WorkspaceFileError when it is absolute, leads upwards, or means something else on some system
 */
export function pathParts(path: string): string[] {
  const parts = path.split('/');
  for (const part of parts) {
    // A colon names a drive or a stream on Windows, a backslash separates, and dots and blanks at the end do not count.
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
 * A path as a model or an answer writes it, with `/` between its parts: they write either slash.
 * @throws WorkspaceFileError when it looks like a path and is something else on some machine
 */
export function givenPath(given: string, { hasDrives }: { hasDrives: boolean }): string {
  const wanted = given.trim().replaceAll('\\', '/');
  if (/\p{Cc}/u.test(given)) throw new WorkspaceFileError('invalid-path', given);
  if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(wanted)) throw new WorkspaceFileError('invalid-path', given);
  // Other machines (`//server/share`, `\\?\C:`).
  if (wanted.startsWith('//')) throw new WorkspaceFileError('outside-workspace', given);
  // A drive, where there are none; elsewhere in a name, a colon would mean a stream behind a file.
  const isDrive = hasDrives && /^[a-z]:\//iu.test(wanted);
  if (/^[a-z]:/iu.test(wanted) && !isDrive) throw new WorkspaceFileError('outside-workspace', given);
  if (hasDrives && wanted.slice(2).includes(':')) throw new WorkspaceFileError('invalid-path', given);
  return wanted;
}

/** A path as the model and the user name it: with the folder's name where several are open. */
export function shownPath(folderCount: number, folderName: string, below: string): string {
  if (folderCount < 2) return below;
  return below === '' ? folderName : `${folderName}/${below}`;
}
