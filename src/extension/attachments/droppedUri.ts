import * as vscode from 'vscode';
import { isFile } from '../workspaceFiles/openFolders.ts';

/**
 * The address of a file on this side of VS Code: if the extension host runs on another machine than the window, the
 * window names files by that machine. Undefined if the text is not a file address.
 */
export function droppedUri(text: string): vscode.Uri | undefined {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
  const isHere = uri.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined;
  if (isHere) return uri.with({ scheme: 'file', authority: '' });
  return isFile(uri) ? uri : undefined;
}
