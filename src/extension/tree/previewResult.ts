import * as vscode from 'vscode';
import { openMessage, type MoveContext } from '../branches/switchToBranch.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { openPreview } from '../branches/openPreview.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';

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
  await openPreview(chatId, messageId, label);
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
