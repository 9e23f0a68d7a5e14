import * as vscode from 'vscode';
import { fetchedEarly } from '../platform/web/fetchedEarly.ts';
import { activateWith, type Activated, type OffshootApi } from './activation.ts';

/** For `deactivate`, which VS Code calls without an argument. Here it does not wait for it. */
let active: Activated | undefined;

/**
 * In an editor without a server: the extension runs in a worker of the browser, and all of it has to be fetched. What the
 * conversation waits for is fetched while the page is on its way.
 */
export function activate(context: vscode.ExtensionContext): OffshootApi | undefined {
  const wasm = vscode.Uri.joinPath(context.extensionUri, 'dist', 'sql-wasm.wasm');
  const sqlite = fetchedEarly(wasm.toString(true));
  active = activateWith(context, async () => (await import('./startInBrowser.ts')).startInBrowser(sqlite));
  return active.api;
}

export async function deactivate(): Promise<void> {
  await active?.close();
}
