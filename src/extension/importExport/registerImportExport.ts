import * as vscode from 'vscode';
import { BEGINNING_LENGTH, looksLikeConversations } from '../../importExport/importPrograms.ts';
import { setContext } from '../manifest/runCommand.ts';

/** Offers to open a file as a chat while the editor shows a file with conversations. */
export function registerImportExport(): vscode.Disposable {
  let shown: boolean | undefined;
  const update = (editor: vscode.TextEditor | undefined): void => {
    const isOne = editor !== undefined && holdsConversations(editor.document);
    if (isOne === shown) return;
    shown = isOne;
    void setContext('offshoot.isConversationOpen', isOne);
  };
  update(vscode.window.activeTextEditor);
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document === vscode.window.activeTextEditor?.document) update(vscode.window.activeTextEditor);
    }),
  );
}

function holdsConversations(document: vscode.TextDocument): boolean {
  // Windows of another kind show no file that could be read.
  if (document.isUntitled || !/\.jsonl?$/iu.test(document.uri.path)) return false;
  const beginning = document.getText(
    new vscode.Range(new vscode.Position(0, 0), document.positionAt(BEGINNING_LENGTH)),
  );
  return looksLikeConversations(beginning);
}
