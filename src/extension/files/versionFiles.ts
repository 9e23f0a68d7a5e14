import * as vscode from 'vscode';
import type { BlobStore } from '../../engine/store.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { VirtualFiles } from '../ui/virtualFiles.ts';
import { BEFORE_SCHEME, NOTHING, PICTURE_SCHEME, VERSION_SCHEME } from './versionUris.ts';

/** Shows stored versions as files: pictures byte for byte, so that VS Code compares them as well. */
export function registerVersionFiles(blobs: BlobStore): vscode.Disposable {
  const files = new VersionFiles(blobs);
  return vscode.Disposable.from(
    files,
    vscode.workspace.registerFileSystemProvider(PICTURE_SCHEME, files, { isReadonly: true }),
    vscode.workspace.registerTextDocumentContentProvider(VERSION_SCHEME, {
      provideTextDocumentContent: async ({ query }) => withHiddenSpelledOut(await versionText(blobs, query)),
    }),
    vscode.workspace.registerTextDocumentContentProvider(BEFORE_SCHEME, {
      provideTextDocumentContent: ({ query }) => versionText(blobs, query),
    }),
  );
}

/** @throws FileNotFound for bytes that are not kept */
export async function versionText(blobs: BlobStore, query: string): Promise<string> {
  const [hash = '', ...file] = query.split('&');
  if (hash === NOTHING) return '';
  const bytes = await blobs.get(hash);
  if (!bytes) throw vscode.FileSystemError.FileNotFound();
  const { artifactTexts, editorTexts } = await import('./editorEncodings.ts');
  const texts = file.length > 0 ? editorTexts : artifactTexts;
  const { isBinary, text } = await texts.read(file.join('&'), bytes);
  return isBinary ? vscode.l10n.t('Binary file, {0} bytes, SHA-256 {1}', bytes.byteLength, hash) : text;
}

/** Stored versions never change. */
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
