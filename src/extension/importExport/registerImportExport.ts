import * as vscode from 'vscode';
import { logFailure } from '../ui/failures.ts';
import { setContext } from '../manifest/runCommand.ts';

/** Offers to open a file as a chat while the editor shows a file with conversations. */
export function registerImportExport(log: vscode.LogOutputChannel): vscode.Disposable {
  let shown: boolean | undefined;
  const update = async (): Promise<void> => {
    const editor = vscode.window.activeTextEditor;
    const isOne = editor !== undefined && (await holdsConversations(editor.document));
    // Another editor may be the active one by now: it has its own call.
    if (isOne === shown || editor !== vscode.window.activeTextEditor) return;
    shown = isOne;
    void setContext('offshoot.isConversationOpen', isOne);
  };
  const updateLater = (): void => {
    update().catch((error: unknown) => logFailure(log, 'A file could not be examined', error));
  };
  updateLater();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(updateLater),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document === vscode.window.activeTextEditor?.document) updateLater();
    }),
  );
}

async function holdsConversations(document: vscode.TextDocument): Promise<boolean> {
  // Windows of another kind show no file that could be read.
  if (document.isUntitled || !/\.jsonl?$/iu.test(document.uri.path)) return false;
  const { BEGINNING_LENGTH, looksLikeConversations } =
    await import('../../importExport/conversationSigns.ts');
  const end = document.positionAt(BEGINNING_LENGTH);
  return looksLikeConversations(document.getText(new vscode.Range(new vscode.Position(0, 0), end)));
}
