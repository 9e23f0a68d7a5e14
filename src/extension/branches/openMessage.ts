import * as vscode from 'vscode';
import type { ChatView } from '../chat/chatView.ts';
import type { Services } from '../services.ts';
import { switchToBranch } from './switchToBranch.ts';
import { notify } from '../ui/notifications.ts';

/** Goes to a branch that leads to a message, and shows the message there. */
export async function openMessage(
  services: Services,
  chat: ChatView,
  chatId: string,
  messageId: string,
): Promise<void> {
  const { store, current } = services;
  const branch = await store.findBranchWith(chatId, messageId);
  if (!branch || branch.isActive) await current.open(chatId);
  else if (!(await switchToBranch(services, chatId, branch.name))) return;
  if (branch) await chat.reveal(messageId);
  else {
    await chat.focus();
    // Only a checkpoint leads there; going to it makes a branch, which is for the user to say.
    void notify.information(
      vscode.l10n.t('This message is on no branch any more. Restore the checkpoint that leads to it.'),
    );
  }
}
