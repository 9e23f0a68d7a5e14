import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { FileView } from '../../protocol/views.ts';
import { readReference } from './fileReference.ts';
import { trueName } from './trueName.ts';
import * as vscode from 'vscode';
import { refuseGitNames, shownPath } from '../../host/pathSyntax.ts';
import { isFile } from './openFolders.ts';

/** Which names in an answer are files of the workspace, with their real paths. */
export async function findFiles(files: GuardedFiles, names: readonly string[]): Promise<FileView[]> {
  const found = await Promise.all(
    names.map(async (name): Promise<FileView[]> => {
      const file = await findReferenced(files, name);
      return file ? [{ name, path: file.path, trueName: trueName(file.path) }] : [];
    }),
  );
  return found.flat();
}

/** The file that a text names, with or without a position. */
export async function findReferenced(files: GuardedFiles, text: string): Promise<WorkspaceFile | undefined> {
  for (const name of spellings(text)) {
    // A file name may end like a position: an existing file takes precedence.
    const file =
      (await findWorkspaceFile(files, readReference(name).path)) ?? (await findWorkspaceFile(files, name));
    if (file) return file;
  }
  return undefined;
}

/** The text itself, and decoded as in a link, where some letters are percent-encoded. */
export function spellings(text: string): string[] {
  const name = text.replace(/^file:\/\/(?=\/)/i, '');
  try {
    const decoded = decodeURIComponent(name);
    return decoded === name ? [name] : [name, decoded];
  } catch {
    // Not an escape: a percent sign.
    return [name];
  }
}

interface WorkspaceFile {
  readonly uri: vscode.Uri;
  /** Its real path: relative to its folder, with the folder's name if several are open. */
  readonly path: string;
}

/** Longer than any real path. */
const MAX_PATH = 1_000;

/** Files outside the workspace folders are not found, even through a symbolic link. */
async function findWorkspaceFile(files: GuardedFiles, named: string): Promise<WorkspaceFile | undefined> {
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
