import * as vscode from 'vscode';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';

const LOCAL = 'file';

/** Those on this machine, or, if there are none, those that the editor accesses some other way. */
export function workspaceFolders(): readonly OpenedFolder[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  const local = all.filter(({ uri }) => uri.scheme === LOCAL);
  return (local.length > 0 ? local : all).map(({ name, uri }) => ({ name, uri: uri.toString() }));
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
