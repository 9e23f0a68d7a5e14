import * as vscode from 'vscode';
import { openLabelled } from './tabs.ts';

/** VS Code wants an authority where there is no path. */
const AUTHORITY = 'plain';

/**
 * An address for a document that VS Code takes for plain text, whatever it holds and whatever `files.associations` of a
 * workspace say: languages are found by paths, and it has none. What nobody has allowed yet must not be read by the
 * service of a language, which may fetch what the document names (a JSON file's `$schema`) or run what belongs to it.
 */
export function plainUri(scheme: string, query: string): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: AUTHORITY, path: '', query });
}

/** How such documents are shown: as text, also where `workbench.editorAssociations` of a workspace say otherwise. */
export const asText: vscode.TextDocumentShowOptions & { readonly override: false } = {
  preview: true,
  override: false,
};

/** Opens such a document. @param label what it is called: its address has no name */
export async function openPlain(uri: vscode.Uri, label: string): Promise<void> {
  await openLabelled(uri, label, asText);
}
