import * as vscode from 'vscode';
import type { FileVersion } from '../../engine/effects.ts';
import type { BlobStore } from '../../engine/store.ts';
import { VirtualFiles } from '../virtualFiles.ts';

/** The scheme under which VS Code sees earlier versions of files, to compare them. */
export const VERSION_SCHEME = 'offshoot-version';

const NOTHING = 'nothing';

/** Where a version of a file can be looked at; one that is no file is empty. */
export function versionUri(path: string, version: FileVersion | null): vscode.Uri {
  return vscode.Uri.from({ scheme: VERSION_SCHEME, authority: version?.hash ?? NOTHING, path: `/${path}` });
}

/** Shows kept versions as files, byte for byte, so that VS Code compares pictures and binary files as well. */
export function registerVersionFiles(blobs: BlobStore): vscode.Disposable {
  const files = new VersionFiles(blobs);
  return vscode.Disposable.from(
    files,
    vscode.workspace.registerFileSystemProvider(VERSION_SCHEME, files, { isReadonly: true }),
  );
}

/** What is kept never changes. */
class VersionFiles extends VirtualFiles {
  constructor(private readonly blobs: BlobStore) {
    super();
  }

  override async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: (await this.readFile(uri)).byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  override async readFile({ authority }: vscode.Uri): Promise<Uint8Array> {
    if (authority === NOTHING) return new Uint8Array();
    const bytes = await this.blobs.get(authority);
    if (!bytes) throw vscode.FileSystemError.FileNotFound();
    return bytes;
  }
}
