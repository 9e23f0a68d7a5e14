import type * as vscode from 'vscode';
import { activateWith, type Activated, type OffshootApi } from './activation.ts';

export type { OffshootApi } from './activation.ts';

/** For `deactivate`, which VS Code calls without an argument and, unlike disposables, waits for. */
let active: Activated | undefined;

/** With Node: on the desktop, and on a server. */
export function activate(context: vscode.ExtensionContext): OffshootApi | undefined {
  active = activateWith(context, async () => (await import('./startOnNode.ts')).startOnNode);
  return active.api;
}

export async function deactivate(): Promise<void> {
  await active?.close();
}
