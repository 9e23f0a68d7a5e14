import * as vscode from 'vscode';
import { browserFetch } from '../agent/browserFetch.ts';
import { loadTokenizerBy, type TokenizerModule } from '../engine/estimate/tokenizer.ts';
import { browserHost } from '../platform/web/browserHost.ts';
import type { Start } from './activation.ts';
import { startOffshoot } from './offshoot.ts';
import { registerEvictionHint } from './storage/evictionHint.ts';
import { storageOf } from './storage/storageFolder.ts';
import { editorFiles } from './workspaceFiles/editorFiles.ts';

/** Starts the extension in the worker of a browser. */
export const startInBrowser: Start = async (context, log, page) => {
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist').toString();
  // What the worker runs was evaluated: there is no place beside it that a name could be imported from.
  loadTokenizerBy(async () => (await import(`${dist}/tokenizer.mjs`)) as TokenizerModule);
  const storage = storageOf(context).folder.toString();
  const host = browserHost({ dist, storage, editorFiles });
  const offshoot = await startOffshoot(context, log, page, {
    ...host,
    fetch: browserFetch(host.fetch, globalThis.origin),
  });
  context.subscriptions.push(registerEvictionHint(offshoot.parts, context.globalState));
  return offshoot;
};
