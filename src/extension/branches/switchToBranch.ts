import * as vscode from 'vscode';
import { BranchNotFoundError } from '../../engine/errors.ts';
import { notifyWithUndo, type UndoNotificationDeps } from '../fileRestore/undoNotification.ts';
import type { BranchLabels } from './branchLabels.ts';
import type { FileMoves } from '../fileRestore/fileMoves.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export interface SwitchToBranchDeps extends UndoNotificationDeps {
  readonly labels: BranchLabels;
  readonly moves: FileMoves;
  readonly store: ReadonlyStore;
}

/**
 * Switches to a branch, and the files with it as far as the user wants.
 * @returns false when the user cancelled
 */
export async function switchToBranch(
  deps: SwitchToBranchDeps,
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
    title: vscode.l10n.t('Switch to branch {0}', label),
    move: () => conversations.switchBranch(name, chatId),
  });
  if (moved?.restored) notifyWithUndo(deps, moved, vscode.l10n.t('You are on branch {0}.', label));
  return moved !== undefined;
}
