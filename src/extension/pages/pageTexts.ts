import * as vscode from 'vscode';
import { z } from 'zod';

/** The build's name for the script of a page. */
export type PageEntry = 'main' | 'graph';

const listSchema = z.array(z.string());

/**
 * The page's texts in the user's language; empty in English, where the keys are the texts.
 * @throws Error when the list of the build cannot be read
 */
export async function readPageTexts(
  extensionUri: vscode.Uri,
  entry: PageEntry,
): Promise<Record<string, string>> {
  const { bundle } = vscode.l10n;
  if (!bundle) return {};
  const list = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'texts', `${entry}.json`);
  const bytes = await vscode.workspace.fs.readFile(list);
  const keys = listSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  return Object.fromEntries(keys.flatMap((key) => (bundle[key] === undefined ? [] : [[key, bundle[key]]])));
}
