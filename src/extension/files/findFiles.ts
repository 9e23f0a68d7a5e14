import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { FileView } from '../../protocol/views.ts';
import { readReference } from './fileReference.ts';
import { trueName } from './trueName.ts';
import * as vscode from 'vscode';
import { isNamedAlso } from '../../host/folderNames.ts';
import { refuseGitNames, shownPath } from '../../host/pathSyntax.ts';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import { isFile, openFolders } from './openFolders.ts';

/** Which names in an answer are files of the workspace, with their real paths. */
export async function findFiles(files: GuardedFiles, names: readonly string[]): Promise<FileView[]> {
  const found = await Promise.all(
    names.map(async (name): Promise<FileView[]> => {
      const paths = (await findReferenced(files, name)).map(({ path }) => path);
      const [path] = paths;
      return path === undefined ? [] : [{ name, path, trueName: paths.map(trueName).join(', ') }];
    }),
  );
  return found.flat();
}

/** The files that a text can mean, with or without a position: several where several folders have such a file. */
export async function findReferenced(files: GuardedFiles, text: string): Promise<readonly WorkspaceFile[]> {
  for (const name of spellings(text)) {
    // A file name may end like a position: an existing file takes precedence.
    for (const path of new Set([readReference(name).path, name])) {
      const found = await findWorkspaceFiles(files, path);
      if (found.length > 0) return found;
    }
  }
  return [];
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

export interface WorkspaceFile {
  readonly uri: vscode.Uri;
  /** Its real path: relative to its folder, with the folder's name if several are open. */
  readonly path: string;
}

/** Longer than any real path. */
const MAX_PATH = 1_000;

/** Files outside the workspace folders are not found, even through a symbolic link. */
async function findWorkspaceFiles(files: GuardedFiles, named: string): Promise<readonly WorkspaceFile[]> {
  if (named === '' || named.length > MAX_PATH || /\p{Cc}/u.test(named)) return [];
  const wanted = named.replaceAll('\\', '/');
  // A path on another machine.
  if (wanted.startsWith('//')) return [];
  const folders = foldersOf(files);
  const below = folders.flatMap((folder) => placesBelow(folder, wanted));
  const byName = folders.flatMap((folder) => placesByName(folder, wanted));
  // Where several folders are open, tools write the name of one before each path.
  const inOrder = folders.length > 1 ? [byName, below] : [below, byName];
  for (const places of inOrder) {
    const found = new Map<string, WorkspaceFile>();
    for (const { folder, uri } of places) {
      const file = await fileAt(files, folder, uri);
      if (file) found.set(file.uri.toString(), file);
    }
    if (found.size > 0) return [...found.values()];
  }
  return [];
}

/** Those that are open, some of which tools may not work with; or those of a branch, which are not. */
function foldersOf(files: GuardedFiles): readonly OpenedFolder[] {
  const [open, given] = [openFolders(), files.folders()];
  return given.every(({ uri }) => open.some((each) => each.uri === uri)) ? open : given;
}

interface Place {
  readonly folder: OpenedFolder;
  readonly uri: vscode.Uri;
}

/** Where a path leads from a folder. */
function placesBelow(folder: OpenedFolder, wanted: string): Place[] {
  const root = vscode.Uri.parse(folder.uri, true);
  // On Windows the path of a URI has a slash before the drive, whose letter may be in either case.
  const whole = /^[a-z]:\//i.test(wanted) ? `/${wanted[0]?.toLowerCase()}${wanted.slice(1)}` : wanted;
  // Joining resolves `..`.
  const uri = whole.startsWith('/')
    ? vscode.Uri.joinPath(root.with({ path: whole }), '.')
    : vscode.Uri.joinPath(root, wanted);
  const start = root.path.endsWith('/') ? root.path : `${root.path}/`;
  return uri.path.startsWith(start) ? [{ folder, uri }] : [];
}

/** The same of a path that begins with the folder's name, which the model may have been given. */
function placesByName(folder: OpenedFolder, wanted: string): Place[] {
  const [first = '', ...rest] = wanted.replace(/^(?:\.\/)+/u, '').split('/');
  const isMeant = rest.length > 0 && (folder.name === first || isNamedAlso(folder, first));
  return isMeant ? placesBelow(folder, `./${rest.join('/')}`) : [];
}

async function fileAt(
  files: GuardedFiles,
  folder: OpenedFolder,
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
  folder: OpenedFolder,
  uri: vscode.Uri,
): Promise<WorkspaceFile | undefined> {
  if (!isFile(uri)) {
    const below = uri.path.slice(vscode.Uri.parse(folder.uri, true).path.length).replace(/^\//u, '');
    refuseGitNames(below.split('/'), below);
    return { uri, path: shownPath(openFolders().length, folder.name, below) };
  }
  const { uri: real, shown } = await files.resolve({ uri: uri.toString() });
  return { uri: vscode.Uri.parse(real, true), path: shown };
}
