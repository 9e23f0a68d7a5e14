import * as vscode from 'vscode';
import { variablesOf } from '../../agent/prompts/promptBody.ts';
import type { FoundPrompt } from '../../agent/prompts/findPrompts.ts';
import { workspaceFolders } from '../workspaceFiles/openFolders.ts';
import { shownPathOf } from '../workspaceFiles/proposeFiles.ts';

/** How much of a selection is included, in UTF-16 units. */
const MAX_SELECTION = 60_000;

/** The values of the variables of a prompt, from the editor and the workspace; empty if there is none. */
export function promptVariables(body: string, at: FoundPrompt['at']): Map<string, string> {
  const editor = vscode.window.activeTextEditor;
  const file = editor ? (shownPathOf(workspaceFolders(), editor.document.uri) ?? '') : '';
  const base = file.slice(file.lastIndexOf('/') + 1);
  const folder = vscode.Uri.parse(at.folder, true);
  const selection = (): string =>
    editor ? editor.document.getText(editor.selection).slice(0, MAX_SELECTION).toWellFormed() : '';
  const values: Readonly<Record<string, () => string>> = {
    selection,
    selectedText: selection,
    file: () => file,
    relativeFile: () => file,
    fileBasename: () => base,
    fileBasenameNoExtension: () => base.replace(/(?!^)\.[^.]*$/u, ''),
    fileDirname: () => file.slice(0, Math.max(0, file.lastIndexOf('/'))),
    workspaceFolder: () => folder.fsPath,
    workspaceFolderBasename: () => folder.path.slice(folder.path.lastIndexOf('/') + 1),
  };
  return new Map(
    [...variablesOf(body)].flatMap((name) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return value ? [[name, value()] as const] : [];
    }),
  );
}
