import * as vscode from 'vscode';
import type { FileVersion } from '../../engine/effects.ts';
import { plainUri } from '../ui/tabs.ts';

/** The schemes for VS Code documents with earlier versions of files, to be compared: pictures, and everything else. */
export const PICTURE_SCHEME = 'offshoot-version';
export const VERSION_SCHEME = 'offshoot-version-text';

/** The scheme for the earlier content of a workspace file: it is shown next to the file, in its language. */
export const BEFORE_SCHEME = 'offshoot-before';

/** In place of a hash: there was no file. */
export const NOTHING = 'nothing';

/** What VS Code shows as a picture, by file extension. */
const PICTURE = /\.(?:bmp|gif|ico|jpe?g|png|webp)$/iu;

/**
 * Empty if there was no file. Plain text regardless of its name: the user has not approved more than viewing it.
 * @param file whose version it is; undefined for an artifact
 */
export function versionUri(path: string, version: FileVersion | null, file?: vscode.Uri): vscode.Uri {
  const kind = version?.kind;
  const hash = version === null || kind === 'folder' ? NOTHING : version.hash;
  return PICTURE.test(path) && kind === undefined
    ? vscode.Uri.from({ scheme: PICTURE_SCHEME, authority: hash, path: `/${path}` })
    : plainUri(VERSION_SCHEME, file ? queryFor({ hash, kind }, file) : hash);
}

/** The address of the earlier version of a workspace file, shown next to it, unchanged. */
export function beforeUri(file: vscode.Uri, version: FileVersion): vscode.Uri {
  // With another path, VS Code would treat the file as renamed.
  return vscode.Uri.from({ scheme: BEFORE_SCHEME, path: file.path, query: queryFor(version, file) });
}

/** The file says in which encoding its versions are. The path that a link leads to is in none of them. */
function queryFor({ hash, kind }: Pick<FileVersion, 'hash' | 'kind'>, file: vscode.Uri): string {
  return kind === undefined ? `${hash}&${file.toString()}` : hash;
}
