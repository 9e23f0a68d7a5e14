import type { Runs } from '../../agent/run/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PromiseCache } from '../../base/promiseCache.ts';
import type { BranchData } from '../../engine/graph.ts';
import { sideQuestionBranches } from '../../engine/sideQuestionBranches.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { MessageView } from '../../protocol/views.ts';
import type { SideQuestionView } from '../../protocol/chatFromHost.ts';
import type { DismissedSideQuestions } from './dismissedSideQuestions.ts';
import { withSources } from '../pages/answerSources.ts';
import { messageView, runView } from '../pages/messageView.ts';
import { withContinue } from './continueActions.ts';
import * as vscode from 'vscode';
import type { Conversations } from '../../conversation/conversations.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf } from '../../protocol/everyPage.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { confirm } from '../ui/notifications.ts';

/** How many side questions are shown next to the conversation; older ones are in the tree. */
const MAX_SIDE_QUESTIONS = 5;

export class SideQuestions implements Disposable {
  /** The names of the branches created for side questions, by chat: they change only when branches do. */
  private readonly made = new PromiseCache<ReadonlySet<string>>();
  private readonly subscription: Disposable;

  constructor(
    private readonly store: ReadonlyStore,
    private readonly runs: Pick<Runs, 'get' | 'failed'>,
    private readonly dismissed: DismissedSideQuestions,
    private readonly approvals: Approvals,
  ) {
    this.subscription = store.onDidChange((change) => {
      // Switching branches creates and names none.
      if (change.kind === 'branch' && change.change === 'switched') return;
      if (change.kind === 'chat' || change.kind === 'branch') this.made.forget(change.chatId);
    });
  }

  /** Another window may have changed anything. */
  forget(): void {
    this.made.clear();
  }

  /** Side questions that fork from one of `shown`, the visible messages of the active branch. */
  async read(
    chatId: string,
    branches: readonly BranchData[],
    shown: ReadonlySet<string>,
  ): Promise<SideQuestionView[]> {
    const made = await this.made.get(chatId, () => this.readMade(chatId));
    const sideQuestions: SideQuestionView[] = [];
    for (const branch of branches.toReversed()) {
      if (sideQuestions.length === MAX_SIDE_QUESTIONS) break;
      if (branch.isActive || !made.has(branch.name) || this.dismissed.has(branch.id)) continue;
      if (branch.forkMessageId === null || !shown.has(branch.forkMessageId)) continue;
      const sideQuestion = await this.view(branch, branch.forkMessageId);
      if (sideQuestion) sideQuestions.unshift(sideQuestion);
    }
    return sideQuestions;
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async view(
    { id: branchId, chatId, name, headMessageId }: BranchData,
    fork: string,
  ): Promise<SideQuestionView | undefined> {
    if (headMessageId === null) return undefined;
    const own = (await this.store.getPathAfter(chatId, fork, headMessageId)) ?? [];
    const views = withSources(
      own.flatMap((message) => messageView(message, []) ?? []),
      own,
    );
    const question = views.find(({ role }) => role === 'user');
    if (!question) return undefined;
    const run = this.runs.get(chatId, name) ?? this.runs.failed(chatId, name);
    const shown = run ? withRun(views, runView(run, this.approvals)) : withContinue(views);
    const last = shown.at(-1);
    const answer = last?.role === 'assistant' ? last : undefined;
    const earlier = shown.slice(shown.indexOf(question) + 1, answer ? -1 : undefined);
    const text = question.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n\n');
    return {
      branch: name,
      branchId,
      question: text,
      ...(earlier.length > 0 ? { earlier } : {}),
      ...(answer ? { answer } : {}),
      // If it was cut off after it was compacted, it ends with the summary.
      ...(last?.role === 'user' || (!answer && last?.canContinue) ? { canAnswer: true } : {}),
    };
  }

  private async readMade(chatId: string): Promise<ReadonlySet<string>> {
    const kinds = ['btw', 'branch-renamed'] as const;
    return sideQuestionBranches(await this.store.listEvents(chatId, { kinds }));
  }
}

/** A run may still exist when its message is already saved. */
function withRun(views: readonly MessageView[], running: MessageView): MessageView[] {
  return [...views.filter(({ id }) => id !== running.id), running];
}

export type SideQuestionAction = Extract<
  NoticeOf<ChatProtocol>,
  { type: 'dismissSideQuestion' | 'mergeSideQuestion' | 'discardSideQuestion' }
>;

/** @returns the id of the branch that was removed permanently */
export async function actOnSideQuestion(
  {
    conversations,
    dismissed,
    store,
  }: {
    readonly conversations: Conversations;
    readonly dismissed: DismissedSideQuestions;
    readonly store: ReadonlyStore;
  },
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
