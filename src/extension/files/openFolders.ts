import * as vscode from 'vscode';
import { FolderNames } from '../../host/folderNames.ts';
import { shownPath } from '../../host/pathSyntax.ts';
import type { FileLocation, OpenedFolder } from '../../host/workspaceFiles.ts';

const LOCAL = 'file';

const names = new FolderNames();

/** All of them, by names that tell them apart. */
export function openFolders(): readonly OpenedFolder[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  return names.of(all.map(({ name, uri }) => ({ name, uri: uri.toString() })));
}

/** Those on this machine, or, if there are none, those that the editor accesses some other way. */
export function workspaceFolders(): readonly OpenedFolder[] {
  const all = openFolders();
  const local = all.filter(({ uri }) => uri.startsWith(`${LOCAL}:`));
  return local.length > 0 ? local : all;
}

/** Of several open folders, the name of the one that the user edits in. */
export function folderInUse(): string | undefined {
  const folders = openFolders();
  const uri = vscode.window.activeTextEditor?.document.uri;
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
  return folders.length < 2 ? undefined : folders.find((each) => each.uri === folder)?.name;
}

/** Undefined for a file outside the open folders. */
export function shownPathOf(folders: readonly OpenedFolder[], uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const known = folders.find((each) => each.uri === folder?.uri.toString());
  if (!folder || !known) return undefined;
  return shownPath(
    folders.length,
    known.name,
    uri.path.slice(folder.uri.path.replace(/\/$/u, '').length + 1),
  );
}

/** A file as the user and the model name it: with the name of its folder if several are open. */
export function shownLocation({ folder, path }: FileLocation): string {
  const folders = workspaceFolders();
  const name = folders.find(({ uri }) => uri === folder)?.name;
  return name === undefined ? path : shownPath(folders.length, name, path);
}

/** Documents that are files. If the folders of a window are elsewhere, so are its files. */
export function fileSelector(): vscode.DocumentFilter[] {
  const schemes = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
  return [...new Set([LOCAL, ...schemes])].map((scheme) => ({ scheme }));
}

/** Whether it is a file, not a virtual document: one of this machine, or of the folders that tools work with. */
export function isFile(uri: vscode.Uri): boolean {
  if (uri.scheme === LOCAL) return true;
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
  return folder !== undefined && workspaceFolders().some((each) => each.uri === folder);
}
