import * as vscode from 'vscode';
import type { EntryKind, UriFiles } from '../../host/uriFiles.ts';

/** Files as VS Code accesses them, including those of other extensions' providers. */
export const editorFiles: UriFiles = {
  stat: async (uri) => {
    const found = await orNothing(vscode.workspace.fs.stat(parsed(uri)));
    if (!found) return undefined;
    const { type, size, mtime: changedAt, permissions = 0 } = found;
    const isReadOnly = (permissions & vscode.FilePermission.Readonly) !== 0;
    return { kind: kindOf(type), isLink: isLink(type), size, changedAt, isReadOnly };
  },
  // The bytes of a provider may be part of a larger buffer that it continues to use.
  read: async (uri) => Uint8Array.from(await vscode.workspace.fs.readFile(parsed(uri))),
  write: async (uri, bytes) => vscode.workspace.fs.writeFile(parsed(uri), bytes),
  list: async (uri) => {
    const found = await orNothing(vscode.workspace.fs.readDirectory(parsed(uri)));
    return found?.map(([name, type]) => ({ name, kind: isLink(type) ? 'other' : kindOf(type) }));
  },
  makeFolder: async (uri) => vscode.workspace.fs.createDirectory(parsed(uri)),
  remove: async (uri) => vscode.workspace.fs.delete(parsed(uri), { recursive: false, useTrash: false }),
  isWritable: (uri) => vscode.workspace.fs.isWritableFileSystem(parsed(uri).scheme),
};

function parsed(uri: string): vscode.Uri {
  return vscode.Uri.parse(uri, true);
}

function isLink(type: vscode.FileType): boolean {
  return (type & vscode.FileType.SymbolicLink) !== 0;
}

function kindOf(type: vscode.FileType): EntryKind {
  if ((type & vscode.FileType.Directory) !== 0) return 'folder';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}

const NOT_THERE: ReadonlySet<string> = new Set(['FileNotFound', 'FileNotADirectory', 'EntryNotFound']);

async function orNothing<T>(asked: Thenable<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && NOT_THERE.has(error.code)) return undefined;
    throw error;
  }
}
