import * as vscode from 'vscode';
import { KeptFile } from '../host/node/keptFile.ts';
import { KeptCode } from '../host/node/keptCode.ts';
import { activateWith, type Activated, type OffshootApi, type Start } from './activation.ts';

export type { OffshootApi } from './activation.ts';

/** For `deactivate`, which VS Code calls without an argument and, unlike disposables, waits for. */
let active: Activated | undefined;

/** How long after a conversation was shown the code that showed it is kept, in milliseconds: there is no hurry. */
const KEEP_MS = 5_000;

/** With Node: on the desktop, and on a server. */
export function activate(context: vscode.ExtensionContext): OffshootApi | undefined {
  const { extensionUri, globalStorageUri, storageUri } = context;
  const code = new KeptCode(
    vscode.Uri.joinPath(extensionUri, 'dist', 'extension-start.cjs').toString(),
    vscode.Uri.joinPath(globalStorageUri, 'extension-start.code').toString(),
  );
  const last =
    storageUri && new KeptFile(vscode.Uri.joinPath(storageUri, 'last-conversation.jsonl').toString());
  const start = async (): Promise<Start> => {
    await code.load();
    return (await import('./startOnNode.ts')).startOnNode;
  };
  active = activateWith(context, start, last);
  let keeping: ReturnType<typeof setTimeout> | undefined;
  // Without it, the next start takes longer.
  const keep = (): void => void code.keep().catch(() => undefined);
  void active.page.shown.then(() => (keeping = setTimeout(keep, KEEP_MS)));
  context.subscriptions.push(
    active.page.onDidOpen(() => code.begin()),
    { dispose: () => clearTimeout(keeping) },
  );
  return active.api;
}

export async function deactivate(): Promise<void> {
  await active?.close();
}
