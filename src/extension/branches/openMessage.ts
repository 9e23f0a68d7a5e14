import * as vscode from 'vscode';
import type { ShownChat } from '../chats/shownChat.ts';
import { switchToBranch, type SwitchToBranchDeps } from './switchToBranch.ts';
import { notify } from '../ui/notifications.ts';
import type { CurrentChat } from '../chats/currentChat.ts';

export interface OpenMessageDeps extends SwitchToBranchDeps {
  readonly current: CurrentChat;
}

/** Switches to a branch that contains a message, and shows the message there. */
export async function openMessage(
  deps: OpenMessageDeps,
  chat: ShownChat,
  chatId: string,
  messageId: string,
): Promise<void> {
  const { store, current } = deps;
  const branch = await store.findBranchWith(chatId, messageId);
  if (!branch || branch.isActive) await current.open(chatId);
  else if (!(await switchToBranch(deps, chatId, branch.name))) return;
  if (branch) await chat.reveal(messageId);
  else {
    await chat.focus();
    // Only a checkpoint leads there; going to it creates a branch, which is the user's decision.
    void notify.information(
      vscode.l10n.t('This message is on no branch any more. Restore the checkpoint that leads to it.'),
    );
  }
}
