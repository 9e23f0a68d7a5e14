import * as vscode from 'vscode';
import { WorkspaceFileError, type FileLocation } from '../../host/workspaceFiles.ts';
import type { OpenEditors } from '../../files/inspectFiles.ts';
import { shownLocation } from './openFolders.ts';
import { isUnsavedElsewhere, unsavedDocument, unsavedNotebook } from './unsavedFiles.ts';

export function uriOf({ folder, path }: FileLocation): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(folder, true), path);
}

export const openEditors: OpenEditors = {
  unsavedText(file) {
    const uri = uriOf(file).toString();
    const document = unsavedDocument(uri);
    if (document) return document.getText();
    if (unsavedNotebook(uri) || isUnsavedElsewhere(uri)) throw new UnsavedElsewhereError(file);
    return undefined;
  },

  async discard(file) {
    const document = unsavedDocument(uriOf(file).toString());
    if (document) await revert(document);
  },

  async bringBack(file, text) {
    const document = await vscode.workspace.openTextDocument(uriOf(file));
    // The editor may not have noticed yet what is on the disk now.
    await revert(document);
    const edit = new vscode.WorkspaceEdit();
    const everything = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(document.uri, document.validateRange(everything), text);
    await vscode.workspace.applyEdit(edit);
  },
};

/** The changes could not be brought back by Undo, so that the file is not restored. */
class UnsavedElsewhereError extends WorkspaceFileError {
  constructor(file: FileLocation) {
    super('unsaved', shownLocation(file));
    this.message = vscode.l10n.t(
      'Open in its editor with changes that are not saved. Save or revert it first.',
    );
  }
}

/** VS Code can revert only the focused editor; the previously focused one gets the focus back. */
async function revert(document: vscode.TextDocument): Promise<void> {
  const before = vscode.window.activeTextEditor;
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.action.files.revert');
  if (before && before.document !== document) {
    await vscode.window.showTextDocument(before.document, before.viewColumn);
  }
}
