import * as vscode from 'vscode';
import { BranchNotFoundError } from '../../engine/errors.ts';
import type { Services } from '../services.ts';
import { notifyWithUndo } from '../fileRestore/undoNotification.ts';

/**
 * Goes to a branch, and the files with it as far as the user wants.
 * @returns false when the user cancelled
 */
export async function switchToBranch(services: Services, chatId: string, name: string): Promise<boolean> {
  const { conversations, store, moves } = services;
  const branch = await store.getBranch(chatId, name);
  if (!branch) throw new BranchNotFoundError(name);
  const moved = await moves.go({
    chatId,
    messageId: branch.headMessageId,
    title: vscode.l10n.t('Switch to branch {0}', name),
    move: () => conversations.switchBranch(name, chatId),
  });
  if (moved?.restored) notifyWithUndo(services, moved, vscode.l10n.t('You are on branch {0}.', name));
  return moved !== undefined;
}
