import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import { PathGuard } from '../../platform/node/pathGuard.ts';
import type { ProtectionReason } from '../../platform/protectedFiles.ts';
import { findReferenced } from '../workspaceFiles/findFiles.ts';
import { workspaceFolders } from '../workspaceFiles/editorWorkspace.ts';

/** The file that code of an answer is to go into. */
export interface ApplyTarget {
  readonly uri: vscode.Uri;
  /** As the user knows it. */
  readonly shown: string;
  /** Where it really is, after links; undefined for what is not on this machine's disk. */
  readonly realPath: string | undefined;
  /** Undefined where the file is to be made. */
  readonly document: vscode.TextDocument | undefined;
  /** The editor in which it is open, with what is selected there. */
  readonly editor: vscode.TextEditor | undefined;
}

const guard = new PathGuard(workspaceFolders);

/**
 * The file that an answer names for its code, also one that is not there yet; else the one in the active editor.
 * @throws OffshootError when there is none, or when it must not be changed
 */
export async function findTarget(named: string | undefined): Promise<ApplyTarget> {
  const found = named === undefined ? undefined : await findReferenced(named);
  if (found) return existing(found.uri);
  const isNew = named !== undefined && /^[^/\\:][^:]*\.[\p{L}\p{N}]+$/u.test(named);
  if (isNew && workspaceFolders().length > 0) {
    const { fsPath, shown, protection } = await guard.resolveForWriting(named);
    if (isRefused(protection)) throw protectedFile(shown);
    return { uri: vscode.Uri.file(fsPath), shown, realPath: fsPath, document: undefined, editor: undefined };
  }
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    throw new OffshootError(
      'no-file',
      vscode.l10n.t('Open the file this code belongs to in the editor, and try again.'),
    );
  }
  return existing(editor.document.uri);
}

async function existing(uri: vscode.Uri): Promise<ApplyTarget> {
  const shown = vscode.workspace.asRelativePath(uri);
  if (uri.scheme !== 'untitled' && !vscode.workspace.getWorkspaceFolder(uri)) throw outside(shown);
  const place = uri.scheme === 'file' ? await guard.resolveForWriting(uri.fsPath) : undefined;
  if (isRefused(place?.protection)) throw protectedFile(shown);
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  return { uri, shown, realPath: place?.fsPath, document, editor };
}

/** Whether the way to the file still leads where it led when the change was shown: a link may have come between. */
export async function isWhereItWas({ uri, realPath }: ApplyTarget): Promise<boolean> {
  return realPath === undefined || (await guard.resolveForWriting(uri.fsPath)).fsPath === realPath;
}

/** A change of other protected files is the user's to make: they see it as a comparison first. */
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

function outside(shown: string): OffshootError {
  return new OffshootError(
    'outside-workspace',
    vscode.l10n.t('{0} is not in this workspace. Copy the code, and change the file yourself.', shown),
  );
}
