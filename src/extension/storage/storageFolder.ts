import type * as vscode from 'vscode';
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

/** VS Code keeps the storage of workspaces next to the global one. @param workspace its name there */
export function workspacePlace(globalStorage: vscode.Uri, workspace = ''): vscode.Uri {
  const parts = globalStorage.path.split('/');
  const below = workspace === '' ? [] : [workspace, ...parts.slice(-1)];
  return globalStorage.with({ path: [...parts.slice(0, -2), 'workspaceStorage', ...below].join('/') });
}

/** The storage folders of all workspaces, without those of further windows: not all of them exist. */
export async function workspacePlaces(
  globalStorage: vscode.Uri,
  files: Pick<Files, 'names'>,
  pathOf: (uri: string) => string,
): Promise<string[]> {
  const workspaces = await files.names(pathOf(workspacePlace(globalStorage).toString()));
  return workspaces
    .filter((workspace) => !furtherName.test(workspace))
    .map((workspace) => workspacePlace(globalStorage, workspace).toString());
}
