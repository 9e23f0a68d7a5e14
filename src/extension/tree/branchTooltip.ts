import * as vscode from 'vscode';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import type { Exploration } from '../branches/outline.ts';
import { storedExcerpt } from '../chats/messageExcerpt.ts';
import { momentText } from '../ui/formats.ts';
import { oneLine } from '../ui/oneLine.ts';
import { tooltip } from '../ui/tooltip.ts';

/** How much of a message a tooltip shows, in characters. */
export const EXCERPT_LENGTH = 200;

/** How much of a report is shown. */
const REPORT_LENGTH = 1_000;

/**
 * A branch's name, where it forks, and its messages.
 * @param here who else is on it now
 */
export async function branchTooltip(
  store: Pick<ReadonlyStore, 'getMessage' | 'getPathAfter'>,
  branch: BranchData,
  exploration: Exploration | undefined,
  here: readonly string[] = [],
): Promise<vscode.MarkdownString> {
  const { chatId, forkMessageId: fork, headMessageId: head, parentBranch } = branch;
  if (exploration) {
    const reported = await store.getMessage(chatId, exploration.reportId);
    const summary = reported && branchSummaryOf(readUIMessage(reported.data) ?? {});
    return tooltip(
      exploration.goal,
      vscode.l10n.t('explored on {0}', branch.name),
      summary ? oneLine(summary.report, REPORT_LENGTH) : '',
    );
  }
  const own = fork === null || head === null ? undefined : await store.getPathAfter(chatId, fork, head);
  const question = own?.find(isUserTurn);
  const last = head === null ? undefined : await store.getMessage(chatId, head);
  return tooltip(
    branch.name,
    ...here,
    parentBranch === undefined ? '' : vscode.l10n.t('from {0}', parentBranch),
    storedExcerpt(question, EXCERPT_LENGTH),
    last?.id === question?.id ? '' : storedExcerpt(last, EXCERPT_LENGTH),
    momentText(branch.createdAt),
  );
}
