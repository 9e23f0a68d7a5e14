import * as vscode from 'vscode';
import { launcherText, type LauncherPlace } from './launcherText.ts';

/** What other programs start: its path is the same for every installed version. */
const NAME = 'offshoot-mcp.mjs';

export function launcherUri(globalStorage: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(globalStorage, NAME);
}

/** Writes the launcher, unless it is up to date. */
export async function writeLauncher(
  globalStorage: vscode.Uri,
  extension: vscode.Uri,
  pathOf: (uri: string) => string,
): Promise<void> {
  const uri = launcherUri(globalStorage);
  const wanted = launcherText(placeOf(extension, pathOf));
  const there = await vscode.workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
  if (there === wanted) return;
  await vscode.workspace.fs.createDirectory(globalStorage);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(wanted));
}

function placeOf(extension: vscode.Uri, pathOf: (uri: string) => string): LauncherPlace {
  const prefix = 'offshoot.offshoot-';
  return {
    folder: pathOf(vscode.Uri.joinPath(extension, '..').toString()),
    prefix,
    program: pathOf(vscode.Uri.joinPath(extension, 'dist', 'mcp.mjs').toString()),
    isFirst: !(extension.path.split('/').at(-1) ?? '').startsWith(prefix),
  };
}
