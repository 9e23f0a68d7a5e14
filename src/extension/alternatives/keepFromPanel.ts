import * as vscode from 'vscode';
import type { ChatView } from '../chat/chatView.ts';
import { switchToBranch } from '../branches/switchToBranch.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import type { Services } from '../services.ts';
import { notify } from '../ui/notifications.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { readTries } from './readAlternatives.ts';
import type { KeepTry } from './alternativesPanel.ts';

/** Goes to the branch of the answer that was chosen, and offers to archive the others. */
export function keepTry(services: Services, chat: ChatView): KeepTry {
  return async ({ chatId, questionId }, branch) => {
    const tries = await readTries(services, chatId, questionId);
    if (!(await switchToBranch(services, chatId, branch))) return false;
    await chat.focus();
    // What goes on after its answer is more than a try.
    const others = (tries?.tries ?? []).filter((each) => each.branch !== branch && !each.goesOn);
    if (others.length > 0)
      void offerArchive(
        services,
        chatId,
        branch,
        others.map((each) => each.branch),
      );
    return true;
  };
}

async function offerArchive(
  { conversations, log }: Services,
  chatId: string,
  kept: string,
  others: readonly string[],
): Promise<void> {
  const archive = vscode.l10n.t('Archive the Others');
  const text =
    others.length === 1
      ? vscode.l10n.t('You are on branch {0}. The other answer stays in the tree.', kept)
      : vscode.l10n.t('You are on branch {0}. The {1} other answers stay in the tree.', kept, others.length);
  if ((await notify.information(text, archive)) !== archive) return;
  const { archived, failure } = await conversations.archiveAlternatives(chatId, others);
  if (failure !== undefined) {
    logFailure(log, 'Archiving answers', failure);
    void notify.error(messageOf(failure));
  }
  if (archived.length === 0) return;
  const names = archived.map(({ name }) => name).join(', ');
  offerUndo(log, vscode.l10n.t('Archived {0}', names), () => conversations.unarchiveBranches(archived));
}
