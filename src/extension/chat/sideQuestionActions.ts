import * as vscode from 'vscode';
import type { Conversations } from '../../conversation/conversations.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf } from '../../protocol/envelope.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { confirm } from '../ui/notifications.ts';
import type { DismissedSideQuestions } from './dismissedSideQuestions.ts';

/** What the page does with the card of a side question. */
export type SideQuestionAction = Extract<
  NoticeOf<ChatProtocol>,
  { type: 'dismissSideQuestion' | 'mergeSideQuestion' | 'discardSideQuestion' }
>;

export interface SideQuestionActionsDeps {
  readonly conversations: Conversations;
  readonly dismissed: DismissedSideQuestions;
  readonly store: ReadonlyStore;
}

/**
 * Performs what the page does with a side question.
 * @returns the id of the branch that was removed permanently
 */
export async function actOnSideQuestion(
  { conversations, dismissed, store }: SideQuestionActionsDeps,
  chatId: string,
  { type, branch: name }: SideQuestionAction,
): Promise<string | undefined> {
  switch (type) {
    case 'dismissSideQuestion': {
      const branch = await store.getBranch(chatId, name);
      if (branch) await dismissed.add(branch.id);
      return undefined;
    }
    case 'mergeSideQuestion':
      await runCommand('offshoot.bringBack', { kind: 'branch', chatId, name });
      return undefined;
    case 'discardSideQuestion': {
      const branch = await store.getBranch(chatId, name);
      if (!branch) return undefined;
      const isSure = await confirm(
        vscode.l10n.t('Discard this side question?'),
        [vscode.l10n.t('Its messages are deleted permanently. They don’t go to the trash.')],
        vscode.l10n.t('Discard'),
      );
      if (!isSure) return undefined;
      await conversations.discardBranch(chatId, name);
      return branch.id;
    }
  }
}
