import * as vscode from 'vscode';
import type { OpenTexts, UnsavedText, WorkspaceHost } from '../../agent/tools/workspace/workspaceHost.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import { editorTexts } from './editorEncodings.ts';
import { asSavedNotebook, notebookText, saveNotebook } from './notebookTexts.ts';
import { shownPathOf, workspaceFolders } from './openFolders.ts';
import { isUnsavedElsewhere, unsavedDocument, unsavedNotebook } from './unsavedFiles.ts';

/** The texts of files as VS Code has them: what is not saved, in an editor of any kind, and what is. */
export const openTexts: OpenTexts & Pick<WorkspaceHost, 'asSaved' | 'saveEdit'> = {
  texts: () => Promise.resolve(editorTexts),
  unsaved: async (file) => textOfDocument(file) ?? (await textOfNotebook(file)) ?? refuseOther(file),

  asSaved: (file, text) => {
    const notebook = unsavedNotebook(file);
    return notebook ? asSavedNotebook(notebook, text) : Promise.resolve(text);
  },

  async saveEdit(file, before, after) {
    const document = unsavedDocument(file);
    const notebook = document ? undefined : unsavedNotebook(file);
    if (notebook) return saveNotebook(notebook, before, after);
    if (document?.getText() !== before) return false;
    const edit = new vscode.WorkspaceEdit();
    const { start, end, text } = onlyChanged(before, after);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, text);
    return (await vscode.workspace.applyEdit(edit)) && (await document.save());
  },
};

function textOfDocument(file: string): UnsavedText | undefined {
  const document = unsavedDocument(file);
  return document && { text: document.getText(), encoding: document.encoding };
}

async function textOfNotebook(file: string): Promise<UnsavedText | undefined> {
  const notebook = unsavedNotebook(file);
  return notebook && { text: await notebookText(notebook), encoding: 'utf8' };
}

/** @throws WorkspaceFileError for changes that are in no document here */
function refuseOther(file: string): undefined {
  if (!isUnsavedElsewhere(file)) return undefined;
  const uri = vscode.Uri.parse(file, true);
  const shown = shownPathOf(workspaceFolders(), uri) ?? vscode.workspace.asRelativePath(uri);
  throw new WorkspaceFileError('unsaved', shown);
}

/** The part of a text that differs in another one: the text around it keeps its place in the editor. */
function onlyChanged(before: string, after: string): { start: number; end: number; text: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  while (start > 0 && isWithinOne(before, start)) start -= 1;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  while (same > 0 && isWithinOne(before, before.length - same)) same -= 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** Whether the units on both sides of a position form one character, or one line end. */
function isWithinOne(text: string, at: number): boolean {
  const [last, next] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return (last === 0x0d && next === 0x0a) || (last >= 0xd800 && last <= 0xdbff);
}
