import * as vscode from 'vscode';
import type { FileVersion } from '../../engine/effects.ts';
import type { BlobStore } from '../../engine/store.ts';

/** The scheme under which VS Code sees earlier versions of files, to compare them. */
export const VERSION_SCHEME = 'offshoot-version';

const NOTHING = 'nothing';

/** Where a version of a file can be looked at; one that is no file is empty. */
export function versionUri(path: string, version: FileVersion | null): vscode.Uri {
  return vscode.Uri.from({ scheme: VERSION_SCHEME, authority: version?.hash ?? NOTHING, path: `/${path}` });
}

/** Shows kept versions as files, byte for byte, so that VS Code compares pictures and binary files as well. */
export function registerVersionFiles(blobs: BlobStore): vscode.Disposable {
  const read = async ({ authority }: vscode.Uri): Promise<Uint8Array> => {
    if (authority === NOTHING) return new Uint8Array();
    const bytes = await blobs.get(authority);
    if (!bytes) throw vscode.FileSystemError.FileNotFound();
    return bytes;
  };
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const provider: vscode.FileSystemProvider = {
    // What is kept never changes.
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => ({
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: (await read(uri)).byteLength,
      permissions: vscode.FilePermission.Readonly,
    }),
    readFile: read,
    readDirectory: refuse,
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(VERSION_SCHEME, provider, { isReadonly: true }),
  );
}
