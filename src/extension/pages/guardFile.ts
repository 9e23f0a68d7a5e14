import * as vscode from 'vscode';
import type { GuardStorage } from './renderingGuard.ts';

/**
 * A small file beside the chats. VS Code's own state would come too late: it is written by the window, which may be dead
 * by then.
 */
export function guardFile(folder: vscode.Uri): GuardStorage {
  const file = vscode.Uri.joinPath(folder, 'rendering.json');
  return {
    read: async () => {
      try {
        return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      } catch (error) {
        // Nothing was ever noted.
        if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
        throw error;
      }
    },
    write: async (text) => {
      await vscode.workspace.fs.createDirectory(folder);
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    },
  };
}
