import * as vscode from 'vscode';
import { BranchNotFoundError } from '../../engine/errors.ts';
import { notifyWithUndo, type UndoContext } from '../files/restoreNotifications.ts';
import type { BranchLabels } from './branchLabels.ts';
import type { FileMoves } from '../files/fileMoves.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ShownChat, CurrentChat } from '../commands/currentChat.ts';
import { notify } from '../ui/notifications.ts';

export interface MoveContext extends UndoContext {
  readonly current: CurrentChat;
  readonly labels: BranchLabels;
  readonly moves: FileMoves;
  readonly store: ReadonlyStore;
}

/** @returns false when the user cancelled */
export async function switchToBranch(
  deps: Omit<MoveContext, 'current'>,
  chatId: string,
  name: string,
): Promise<boolean> {
  const { conversations, labels, moves } = deps;
  const branch = await conversations.findBranch(chatId, name);
  if (!branch) throw new BranchNotFoundError(name);
  const label = await labels.label(chatId, name);
  const moved = await moves.go({
    chatId,
    messageId: branch.headMessageId,
    goal: { branch: name },
    title: vscode.l10n.t('Switch to branch {0}', label),
    move: () => conversations.switchBranch(name, chatId),
  });
  if (moved?.restored) notifyWithUndo(deps, moved, vscode.l10n.t('Switched to {0}.', label));
  return moved !== undefined;
}

export async function openMessage(
  deps: MoveContext,
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
