import * as vscode from 'vscode';
import type { PanelId } from '../manifest/ids.ts';
import { inertText } from './inertText.ts';

export function createPanel(viewType: PanelId, title: string): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, inertText(title), vscode.ViewColumn.Active, {});
}

export function setPanelTitle(panel: vscode.WebviewPanel, title: string): void {
  panel.title = inertText(title);
}

export async function openComparison(
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, inertText(title), options);
}

export async function openChanges(
  title: string,
  files: readonly (readonly [
    file: vscode.Uri,
    before: vscode.Uri | undefined,
    after: vscode.Uri | undefined,
  ])[],
): Promise<void> {
  await vscode.commands.executeCommand('vscode.changes', inertText(title), files);
}

export async function openLabelled(
  uri: vscode.Uri,
  label: string,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', uri, options, inertText(label));
}

/** VS Code requires an authority if there is no path. */
const AUTHORITY = 'plain';

/**
 * An address for a document that VS Code treats as plain text, regardless of its content and the `files.associations`
 * of a workspace: languages are detected by path, and it has none. Content that is not approved yet must not be read by
 * a language service, which may fetch what the document names (a JSON file's `$schema`) or run what belongs to it.
 */
export function plainUri(scheme: string, query: string): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: AUTHORITY, path: '', query });
}

/** How such documents are shown: as text, regardless of `workbench.editorAssociations` of a workspace. */
export const asText: vscode.TextDocumentShowOptions & { readonly override: false } = {
  preview: true,
  override: false,
};

/** Has a plain document read as Markdown: no language service fetches what that names. */
export async function readAsMarkdown(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(document, 'markdown');
}

/** @param label its title: the address of such a document has no name */
export async function openPlain(uri: vscode.Uri, label: string): Promise<void> {
  await openLabelled(uri, label, asText);
}
