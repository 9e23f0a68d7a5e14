import * as vscode from 'vscode';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import { refuseGitNames, shownPath } from '../../platform/pathSyntax.ts';
import { isFile } from './openFolders.ts';

/** A file of the workspace that exists. */
export interface WorkspaceFile {
  readonly uri: vscode.Uri;
  /** Its real path: relative to its folder, with the folder's name if several are open. */
  readonly path: string;
}

/** Longer than any real path. */
const MAX_PATH = 1_000;

/**
 * Finds a file that an answer names, by its path from a workspace folder or by its absolute path. Files outside the
 * workspace folders are not found, even through a symbolic link.
 */
export async function findWorkspaceFile(
  files: GuardedFiles,
  named: string,
): Promise<WorkspaceFile | undefined> {
  if (named === '' || named.length > MAX_PATH || /\p{Cc}/u.test(named)) return undefined;
  const wanted = named.replaceAll('\\', '/');
  // A path on another machine.
  if (wanted.startsWith('//')) return undefined;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const uri of placesIn(folder, wanted)) {
      const found = await fileAt(files, folder, uri);
      if (found) return found;
    }
  }
  return undefined;
}

function placesIn({ uri, name }: vscode.WorkspaceFolder, wanted: string): vscode.Uri[] {
  const root = uri.path.endsWith('/') ? uri.path : `${uri.path}/`;
  // On Windows the path of a URI has a slash before the drive, whose letter may be in either case.
  const whole = /^[a-z]:\//i.test(wanted) ? `/${wanted[0]?.toLowerCase()}${wanted.slice(1)}` : wanted;
  // Joining resolves `..`.
  const places = [
    whole.startsWith('/')
      ? vscode.Uri.joinPath(uri.with({ path: whole }), '.')
      : vscode.Uri.joinPath(uri, wanted),
  ];
  // With the folder's name, which the model may have been given.
  if (wanted.startsWith(`${name}/`)) places.push(vscode.Uri.joinPath(uri, wanted.slice(name.length + 1)));
  return places.filter((place) => place.path.startsWith(root));
}

async function fileAt(
  files: GuardedFiles,
  folder: vscode.WorkspaceFolder,
  uri: vscode.Uri,
): Promise<WorkspaceFile | undefined> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return undefined;
    return await realFile(files, folder, uri);
  } catch {
    // It is not in this folder.
    return undefined;
  }
}

/** Under its real name, which may differ because of links or letter case. */
async function realFile(
  files: GuardedFiles,
  folder: vscode.WorkspaceFolder,
  uri: vscode.Uri,
): Promise<WorkspaceFile | undefined> {
  const count = vscode.workspace.workspaceFolders?.length ?? 0;
  if (!isFile(uri)) {
    const below = uri.path.slice(folder.uri.path.length).replace(/^\//u, '');
    refuseGitNames(below.split('/'), below);
    return { uri, path: shownPath(count, folder.name, below) };
  }
  const { uri: real, shown } = await files.resolve({ uri: uri.toString() });
  return { uri: vscode.Uri.parse(real, true), path: shown };
}
