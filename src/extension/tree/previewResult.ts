import * as vscode from 'vscode';
import { openMessage, type MoveContext } from '../branches/switchToBranch.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { comparisonUri } from '../branches/comparisonDocuments.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { openLabelled, readAsMarkdown } from '../ui/tabs.ts';

/** Past the end of every document: the message that was found is last. */
const END = new vscode.Range(1e9, 0, 1e9, 0);

/** A message of another branch is previewed with the messages before it; going there is a separate step. */
export async function previewResult(
  deps: MoveContext,
  chat: ShownChat,
  chatId: string,
  messageId: string,
): Promise<void> {
  const branch = await deps.store.findBranchWith(chatId, messageId);
  if (!branch || branch.isActive) return openMessage(deps, chat, chatId, messageId);
  const label = await deps.labels.label(chatId, branch.name);
  const uri = comparisonUri({ show: 'conversation', chatId, headId: messageId });
  await readAsMarkdown(uri);
  await openLabelled(uri, vscode.l10n.t('Preview: {0}', label), { preview: true, selection: END });
  const text =
    branch.archivedAt === undefined
      ? vscode.l10n.t('Previewing branch “{0}”.', label)
      : vscode.l10n.t('Previewing the archived branch “{0}”.', label);
  const go = vscode.l10n.t('Switch to Branch');
  const ask = async (): Promise<void> => {
    if ((await notify.information(text, go)) !== go) return;
    try {
      await openMessage(deps, chat, chatId, messageId);
    } catch (error) {
      logFailure(deps.log, 'Going to what was found', error);
      await notify.error(messageOf(error));
    }
  };
  void ask();
}
