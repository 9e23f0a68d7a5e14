import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { ProtectionReason } from '../../host/protectedFiles.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import { findReferenced, type WorkspaceFile } from './findFiles.ts';
import { isFile } from './openFolders.ts';
import { isUnsavedElsewhere, unsavedNotebook } from './unsavedFiles.ts';

export interface ApplyTarget {
  readonly uri: vscode.Uri;
  /** As shown to the user. */
  readonly shown: string;
  /** The URI of the real file, with links resolved; undefined if it is not on this machine's disk. */
  readonly real: string | undefined;
  /** Undefined if the file has yet to be created. */
  readonly document: vscode.TextDocument | undefined;
  readonly editor: vscode.TextEditor | undefined;
}

/**
 * The file that an answer names for its code, even if it does not exist yet; else the one in the active editor.
 * @throws OffshootError when there is none, or when it must not be changed
 */
export async function findTarget(files: GuardedFiles, named: string | undefined): Promise<ApplyTarget> {
  const [found, ...others] = named === undefined ? [] : await findReferenced(files, named);
  if (found && others.length > 0) throw ambiguous(named ?? '', [found, ...others]);
  if (found) return existing(files, found.uri);
  const isNew = named !== undefined && /^[^/\\:][^:]*\.[\p{L}\p{N}]+$/u.test(named);
  if (isNew && files.folders().length > 0) {
    const { uri: real, shown, protection } = await files.resolveForWriting(named);
    if (isRefused(protection)) throw protectedFile(shown);
    return { uri: vscode.Uri.parse(real, true), shown, real, document: undefined, editor: undefined };
  }
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    throw new OffshootError(
      'no-file',
      vscode.l10n.t('Open the file this code belongs to in the editor, and try again.'),
    );
  }
  return existing(files, editor.document.uri);
}

async function existing(files: GuardedFiles, uri: vscode.Uri): Promise<ApplyTarget> {
  if (uri.scheme !== 'untitled' && !vscode.workspace.getWorkspaceFolder(uri)) {
    throw outside(vscode.workspace.asRelativePath(uri));
  }
  const place = isFile(uri) ? await files.resolveForWriting({ uri: uri.toString() }) : undefined;
  const shown = place?.shown ?? vscode.workspace.asRelativePath(uri);
  // A text editor would show, and save, what is on the disk.
  const key = uri.toString();
  if (unsavedNotebook(key) || isUnsavedElsewhere(key)) throw new WorkspaceFileError('unsaved', shown);
  if (isRefused(place?.protection)) throw protectedFile(shown);
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  return { uri, shown, real: place?.uri, document, editor };
}

/** Whether the path still resolves to the file that was shown: a link may have been created since. */
export async function isWhereItWas(files: GuardedFiles, { uri, real }: ApplyTarget): Promise<boolean> {
  return real === undefined || (await files.resolveForWriting({ uri: uri.toString() })).uri === real;
}

/** The user may change other protected files: they see a comparison first. */
function isRefused(protection: ProtectionReason | undefined): boolean {
  return protection === 'editor-settings' || protection === 'repository';
}

function protectedFile(shown: string): OffshootError {
  return new OffshootError(
    'protected-file',
    vscode.l10n.t(
      '{0} can decide what programs run on this machine. Copy the code, and change the file yourself.',
      shown,
    ),
  );
}

function ambiguous(named: string, files: readonly WorkspaceFile[]): WorkspaceFileError {
  return new WorkspaceFileError('ambiguous', named, { meant: files.map(({ path }) => path) });
}

function outside(shown: string): OffshootError {
  return new OffshootError(
    'outside-workspace',
    vscode.l10n.t('{0} is not in this workspace. Copy the code, and change the file yourself.', shown),
  );
}
