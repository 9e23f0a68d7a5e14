import * as vscode from 'vscode';
import { BEGINNING_LENGTH, looksLikeConversations } from '../../importExport/conversationSigns.ts';
import { setContext } from '../manifest/runCommand.ts';

/** Offers to open a file as a chat while the editor shows a file with conversations. */
export function watchOpenConversations(): vscode.Disposable {
  let shown: boolean | undefined;
  const update = (): void => {
    const editor = vscode.window.activeTextEditor;
    const isOne = editor !== undefined && holdsConversations(editor.document);
    if (isOne === shown) return;
    shown = isOne;
    void setContext('offshoot.isConversationOpen', isOne);
  };
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document === vscode.window.activeTextEditor?.document) update();
    }),
  );
}

function holdsConversations(document: vscode.TextDocument): boolean {
  // Windows of another kind show no file that could be read.
  if (document.isUntitled || !/\.jsonl?$/iu.test(document.uri.path)) return false;
  const end = document.positionAt(BEGINNING_LENGTH);
  return looksLikeConversations(document.getText(new vscode.Range(new vscode.Position(0, 0), end)));
}
