import * as vscode from 'vscode';
import { nodeHost } from '../host/node/nodeHost.ts';
import type { Host } from '../host/hostMachine.ts';
import type { Start } from './activation.ts';
import { startOffshoot } from './offshoot.ts';
import { editorFiles } from './files/editorFiles.ts';
import { openProject } from './storage/openProject.ts';
import { storageOf } from './storage/storageFolder.ts';

export const startOnNode: Start = async (context, log, page) => {
  const hostOf = (storage: vscode.Uri): Host =>
    nodeHost({
      dist: vscode.Uri.joinPath(context.extensionUri, 'dist').toString(),
      appRoot: vscode.env.appRoot,
      editorFiles,
      storage: storage.toString(),
    });
  const project = await openProject(context, hostOf(storageOf(context).folder), log);
  return startOffshoot(context, log, page, hostOf(project.folder), project);
};
