import * as vscode from 'vscode';
import { nodeHost } from '../host/node/nodeHost.ts';
import type { Start } from './activation.ts';
import { startOffshoot } from './offshoot.ts';
import { editorFiles } from './files/editorFiles.ts';
import { storageOf } from './storage/storageFolder.ts';

export const startOnNode: Start = (context, log, page) => {
  const host = nodeHost({
    dist: vscode.Uri.joinPath(context.extensionUri, 'dist').toString(),
    appRoot: vscode.env.appRoot,
    editorFiles,
    storage: storageOf(context).folder.toString(),
  });
  return startOffshoot(context, log, page, host);
};
