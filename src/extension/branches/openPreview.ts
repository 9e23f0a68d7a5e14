import * as vscode from 'vscode';
import { openLabelled, readAsMarkdown } from '../ui/tabs.ts';
import { comparisonUri } from './comparisonDocuments.ts';

/** Past the end of every document: the message that is previewed is last. */
const END = new vscode.Range(1e9, 0, 1e9, 0);

/** Shows a message with those before it in an editor tab; the chat stays where it is. */
export async function openPreview(chatId: string, messageId: string, label: string): Promise<void> {
  const uri = comparisonUri({ show: 'conversation', chatId, headId: messageId });
  await readAsMarkdown(uri);
  await openLabelled(uri, vscode.l10n.t('Preview: {0}', label), { preview: true, selection: END });
}
