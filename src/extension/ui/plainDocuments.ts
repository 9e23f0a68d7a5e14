import * as vscode from 'vscode';
import { openLabelled } from './tabs.ts';

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

/** Opens such a document. @param label its title: its address has no name */
export async function openPlain(uri: vscode.Uri, label: string): Promise<void> {
  await openLabelled(uri, label, asText);
}
