import * as vscode from 'vscode';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import type { OpenEditors } from '../../files/inspectFiles.ts';

export function uriOf({ folder, path }: FileLocation): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(folder, true), path);
}

export const openEditors: OpenEditors = {
  unsavedText: (file) => documentOf(file)?.getText(),

  async discard(file) {
    const document = documentOf(file);
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

/** The document of a file, if it has unsaved changes. */
function documentOf(file: FileLocation): vscode.TextDocument | undefined {
  const uri = uriOf(file).toString();
  return vscode.workspace.textDocuments.find(
    (document) => document.isDirty && document.uri.toString() === uri,
  );
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
