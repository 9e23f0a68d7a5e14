import * as vscode from 'vscode';
import type { ShownChat } from '../chats/shownChat.ts';
import { switchToBranch, type SwitchToBranchDeps } from '../branches/switchToBranch.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { readAlternatives } from './readAlternatives.ts';
import type { KeepFromPanel } from './alternativesPanel.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';

export interface KeepFromPanelDeps extends SwitchToBranchDeps {
  readonly approvals: Approvals;
}

/** Switches to the branch of the chosen answer, and offers to archive the others. */
export function keepFromPanel(deps: KeepFromPanelDeps, chat: ShownChat): KeepFromPanel {
  return async ({ chatId, questionId }, branch) => {
    const alternatives = await readAlternatives(deps, chatId, questionId);
    if (!(await switchToBranch(deps, chatId, branch))) return false;
    await chat.focus();
    // Those that continue after their answer are kept.
    const others = (alternatives?.alternatives ?? []).filter(
      (each) => each.branch !== branch && !each.goesOn,
    );
    if (others.length > 0)
      void offerArchive(
        deps,
        chatId,
        branch,
        others.map((each) => each.branch),
      );
    return true;
  };
}

async function offerArchive(
  { conversations, labels, log }: KeepFromPanelDeps,
  chatId: string,
  kept: string,
  others: readonly string[],
): Promise<void> {
  const labelOf = await labels.of(chatId);
  const archive = vscode.l10n.t('Archive the Others');
  const text =
    others.length === 1
      ? vscode.l10n.t('You are on branch {0}. The other answer stays in the tree.', labelOf(kept))
      : vscode.l10n.t(
          'You are on branch {0}. The {1} other answers stay in the tree.',
          labelOf(kept),
          others.length,
        );
  if ((await notify.information(text, archive)) !== archive) return;
  const { archived, failure } = await conversations.archiveAlternatives(chatId, others);
  if (failure !== undefined) {
    logFailure(log, 'Archiving answers', failure);
    void notify.error(messageOf(failure));
  }
  if (archived.length === 0) return;
  const names = archived.map(({ name }) => labelOf(name)).join(', ');
  offerUndo(log, vscode.l10n.t('Archived {0}', names), () => conversations.unarchiveBranches(archived));
}
