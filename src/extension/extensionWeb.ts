import type * as vscode from 'vscode';
import { activateWith, type Activated, type OffshootApi } from './activation.ts';

/** For `deactivate`, which VS Code calls without an argument. Here it does not wait for it. */
let active: Activated | undefined;

/**
 * In an editor without a server: the extension runs in a worker of the browser. All of it is in one file; what the page
 * does not wait for is run after it was sent.
 */
export function activate(context: vscode.ExtensionContext): OffshootApi | undefined {
  active = activateWith(context, async () => (await import('./startInBrowser.ts')).startInBrowser);
  return active.api;
}

export async function deactivate(): Promise<void> {
  await active?.close();
}
