import * as vscode from 'vscode';
import type { FileVersion } from '../../engine/effects.ts';
import type { BlobStore } from '../../engine/store.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { plainUri } from '../ui/tabs.ts';
import { VirtualFiles } from '../ui/virtualFiles.ts';

/** The schemes for VS Code documents with earlier versions of files, to be compared: pictures, and everything else. */
export const PICTURE_SCHEME = 'offshoot-version';
export const VERSION_SCHEME = 'offshoot-version-text';

/** The scheme for the earlier content of a workspace file: it is shown next to the file, in its language. */
const BEFORE_SCHEME = 'offshoot-before';

const NOTHING = 'nothing';

/** What VS Code shows as a picture, by file extension. */
const PICTURE = /\.(?:bmp|gif|ico|jpe?g|png|webp)$/iu;

/**
 * Empty if there was no file. Plain text regardless of its name: the user has not approved more than viewing it.
 * @param file whose version it is; undefined for an artifact
 */
export function versionUri(path: string, version: FileVersion | null, file?: vscode.Uri): vscode.Uri {
  const kind = version?.kind;
  const hash = version === null || kind === 'folder' ? NOTHING : version.hash;
  return PICTURE.test(path) && kind === undefined
    ? vscode.Uri.from({ scheme: PICTURE_SCHEME, authority: hash, path: `/${path}` })
    : plainUri(VERSION_SCHEME, file ? queryFor({ hash, kind }, file) : hash);
}

/** The address of the earlier version of a workspace file, shown next to it, unchanged. */
export function beforeUri(file: vscode.Uri, version: FileVersion): vscode.Uri {
  // With another path, VS Code would treat the file as renamed.
  return vscode.Uri.from({ scheme: BEFORE_SCHEME, path: file.path, query: queryFor(version, file) });
}

/** The file says in which encoding its versions are. The path that a link leads to is in none of them. */
function queryFor({ hash, kind }: Pick<FileVersion, 'hash' | 'kind'>, file: vscode.Uri): string {
  return kind === undefined ? `${hash}&${file.toString()}` : hash;
}

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

async function versionText(blobs: BlobStore, query: string): Promise<string> {
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
