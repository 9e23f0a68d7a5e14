import * as vscode from 'vscode';
import { hunksOf, withHunkKept, withHunkUndone, type Hunk } from '../../files/textHunks.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { uriOf } from './openEditors.ts';
import type { EditedFile, EditsReview } from './editsReview.ts';

/** The hunks of a document with edits to review; empty if it is not such a file. */
export async function hunksIn(
  review: EditsReview,
  file: EditedFile,
  document: vscode.TextDocument,
): Promise<Hunk[]> {
  // An editor shows what a link leads to.
  if (file.now?.kind === 'link') return [];
  const before = await review.baselineText(file);
  return before === undefined ? [] : hunksOf(before, document.getText());
}

/** The hunk at a line, or, if lines were removed, the one that begins there. */
export function hunkAt(hunks: readonly Hunk[], line: number): Hunk | undefined {
  return hunks.find(
    ({ afterStart, added }) => line >= afterStart && line < afterStart + Math.max(1, added.length),
  );
}

export function editedFileOf(
  files: readonly EditedFile[],
  document: vscode.TextDocument,
): EditedFile | undefined {
  const uri = document.uri.toString();
  return files.find(({ location }) => uriOf(location).toString() === uri);
}

/** Keeps one hunk: from now on it counts as part of the text before the edits. */
export async function keepHunk(
  review: EditsReview,
  chatId: string,
  file: EditedFile,
  hunk: Hunk,
): Promise<void> {
  const before = await review.baselineText(file);
  if (before === undefined) return;
  const baseline = await review.keepText(file, withHunkKept(before, hunk), 'baseline');
  await review.decide(chatId, [{ location: file.location, baseline }]);
}

/** Undoes one hunk, on the disk, or, if the document has unsaved changes, in the editor only. */
export async function undoHunk(
  { files, review }: { readonly files: ChangedFiles; readonly review: EditsReview },
  chatId: string,
  { file, document, hunk }: { file: EditedFile; document: vscode.TextDocument; hunk: Hunk },
): Promise<void> {
  const { location, baseline } = file;
  const text = document.getText();
  // If VS Code has other bytes than the disk, as with mixed line ends, the editor knows better how to write them.
  if (document.isDirty || (await review.textNow(location)) !== text) {
    await undoInEditor(document, hunk);
    return;
  }
  const version = await review.keepText(file, withHunkUndone(text, hunk), 'now');
  const plan = await files.restorer.previewDecision(chatId, [{ location, version, baseline }]);
  await files.restorer.restore(chatId, plan, plan.files, { why: 'edits' });
  await review.update(chatId);
}

async function undoInEditor(document: vscode.TextDocument, hunk: Hunk): Promise<void> {
  const { afterStart, added, removed } = hunk;
  const range = document.validateRange(new vscode.Range(afterStart, 0, afterStart + added.length, 0));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, removed.join(''));
  await vscode.workspace.applyEdit(edit);
}
