import * as vscode from 'vscode';
import type { Files } from '../../host/files.ts';

// VS Code locks the storage of a workspace for one window. A further window of the same workspace, also one whose host
// outlived its browser, gets a folder next to it, named with -1 to -9. Offshoot's windows share the first one.

const FURTHER = 9;

/** The name of a workspace's storage is a hash in hexadecimal, or a time; what follows it is VS Code's counter. */
const furtherName = /^(-?[0-9a-f]+)-[1-9]$/i;

/** `others`: those that VS Code gave to further windows of the workspace. */
export interface WorkspaceStorage {
  readonly folder: vscode.Uri;
  readonly others: readonly vscode.Uri[];
}

/** Of the workspace, or of no workspace while none is open. */
export function storageOf({
  storageUri,
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>): WorkspaceStorage {
  return storageUri ? workspaceStorage(storageUri) : { folder: globalStorageUri, others: [] };
}

/** @param given the folder that VS Code gave this window: of this extension, in that of the workspace */
export function workspaceStorage(given: vscode.Uri): WorkspaceStorage {
  const parts = given.path.split('/');
  const name = parts.at(-2) ?? '';
  const first = furtherName.exec(name)?.[1] ?? name;
  const folderFor = (each: string): vscode.Uri =>
    given.with({ path: [...parts.slice(0, -2), each, ...parts.slice(-1)].join('/') });
  if (!/^-?[0-9a-f]+$/i.test(first)) return { folder: given, others: [] };
  return {
    folder: folderFor(first),
    others: Array.from({ length: FURTHER }, (_, index) => folderFor(`${first}-${index + 1}`)),
  };
}

/**
 * The storage folders of all workspaces that ever used this extension, without those of further windows. VS Code keeps
 * those of workspaces next to the global one.
 */
export async function workspacePlaces(
  globalStorage: vscode.Uri,
  files: Pick<Files, 'names'>,
  pathOf: (uri: string) => string,
): Promise<string[]> {
  const home = vscode.Uri.joinPath(globalStorage, '..', '..', 'workspaceStorage');
  const name = globalStorage.path.split('/').at(-1) ?? '';
  const workspaces = await files.names(pathOf(home.toString()));
  return workspaces
    .filter((each) => !furtherName.test(each))
    .map((each) => vscode.Uri.joinPath(home, each, name).toString());
}
