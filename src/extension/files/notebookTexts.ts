import * as vscode from 'vscode';
import { toBase64 } from '../../engine/bytes.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import { shownPathOf, workspaceFolders } from './openFolders.ts';

/**
 * What would be in the file of a notebook if it were saved now. The extension that opened the notebook writes it.
 * @throws WorkspaceFileError when that is no text, or cannot be had
 */
export async function notebookText(notebook: vscode.NotebookDocument): Promise<string> {
  const data = new vscode.NotebookData(notebook.getCells().map(dataOfCell));
  data.metadata = notebook.metadata;
  try {
    return await written(notebook.notebookType, data);
  } catch (error) {
    const { uri } = notebook;
    const shown = shownPathOf(workspaceFolders(), uri) ?? vscode.workspace.asRelativePath(uri);
    throw new WorkspaceFileError('unsaved', shown, { cause: error });
  }
}

/** The text that the editor of a notebook would save for another text; undefined when it could not open that. */
export async function asSavedNotebook(
  { notebookType }: vscode.NotebookDocument,
  text: string,
): Promise<string | undefined> {
  const data = await opened(notebookType, text);
  return data && written(notebookType, data);
}

/** Changes the cells that differ, in a way that can be undone there, and saves. @returns as `WorkspaceHost.saveEdit` */
export async function saveNotebook(
  notebook: vscode.NotebookDocument,
  before: string,
  after: string,
): Promise<boolean> {
  const { notebookType, uri, version } = notebook;
  if ((await notebookText(notebook)) !== before) return false;
  const [old, now] = await Promise.all([opened(notebookType, before), opened(notebookType, after)]);
  if (!old || !now || notebook.version !== version) return false;
  const edits = editsBetween(old, now, notebook.cellCount);
  // Nothing that an editor of notebooks can be told to change.
  if (edits.length === 0) return false;
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, edits);
  return (await vscode.workspace.applyEdit(edit)) && (await notebook.save());
}

function dataOfCell({
  kind,
  document,
  outputs,
  metadata,
  executionSummary,
}: vscode.NotebookCell): vscode.NotebookCellData {
  const data = new vscode.NotebookCellData(kind, document.getText(), document.languageId);
  data.outputs = [...outputs];
  data.metadata = metadata;
  if (executionSummary) data.executionSummary = executionSummary;
  return data;
}

/** @throws when there is no such extension, or it writes no text */
async function written(notebookType: string, data: vscode.NotebookData): Promise<string> {
  const bytes = await vscode.commands.executeCommand<Uint8Array>(
    'vscode.executeNotebookToData',
    notebookType,
    data,
  );
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

async function opened(notebookType: string, text: string): Promise<vscode.NotebookData | undefined> {
  try {
    return await vscode.commands.executeCommand<vscode.NotebookData>(
      'vscode.executeDataToNotebook',
      notebookType,
      new TextEncoder().encode(text),
    );
  } catch {
    // Each extension has errors of its own for what is no notebook.
    return undefined;
  }
}

function editsBetween(
  old: vscode.NotebookData,
  now: vscode.NotebookData,
  cellCount: number,
): vscode.NotebookEdit[] {
  const [before, after] = [old.cells.map(comparable), now.cells.map(comparable)];
  const most = before.length === cellCount ? Math.min(before.length, after.length) : 0;
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const replaced = new vscode.NotebookRange(start, cellCount - end);
  const cells = now.cells.slice(start, now.cells.length - end);
  const hasOther = JSON.stringify(old.metadata ?? {}) !== JSON.stringify(now.metadata ?? {});
  return [
    ...(replaced.isEmpty && cells.length === 0 ? [] : [vscode.NotebookEdit.replaceCells(replaced, cells)]),
    ...(hasOther ? [vscode.NotebookEdit.updateNotebookMetadata(now.metadata ?? {})] : []),
  ];
}

function comparable(cell: vscode.NotebookCellData): string {
  const { kind, value, languageId, metadata, executionSummary, outputs = [] } = cell;
  const shown = outputs.map(({ items, metadata: ofOutput }) => [
    items.map(({ mime, data }) => [mime, toBase64(data)]),
    ofOutput,
  ]);
  return JSON.stringify([kind, value, languageId, metadata, executionSummary, shown]);
}
