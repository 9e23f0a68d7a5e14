import * as vscode from 'vscode';

/** The document of a file, if it has unsaved changes. */
export function unsavedDocument(file: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isDirty }) => isDirty && uri.toString() === file);
}

/** The notebook of a file, if it has unsaved changes. */
export function unsavedNotebook(file: string): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find(({ uri, isDirty }) => isDirty && uri.toString() === file);
}

/**
 * Whether a tab shows unsaved changes of a file that are in no document here: those of a custom editor that does not
 * work on a text, or of an editor that VS Code has not loaded since it was started.
 */
export function isUnsavedElsewhere(file: string): boolean {
  if (unsavedDocument(file) || unsavedNotebook(file)) return false;
  const isOfFile = ({ uri }: { readonly uri: vscode.Uri }): boolean => uri.toString() === file;
  const { notebookDocuments, textDocuments } = vscode.workspace;
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input, isDirty }) => {
      if (!isDirty) return false;
      // What a document says of itself is newer than its tab.
      if (input instanceof vscode.TabInputText) return isOfFile(input) && !textDocuments.some(isOfFile);
      if (input instanceof vscode.TabInputNotebook) {
        return isOfFile(input) && !notebookDocuments.some(isOfFile);
      }
      return input instanceof vscode.TabInputCustom && isOfFile(input);
    }),
  );
}
