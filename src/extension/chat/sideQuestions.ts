import type { Runs } from '../../agent/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { BranchData, LogEvent } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { SideQuestionView } from '../../protocol/views.ts';
import type { DismissedSideQuestions } from './dismissedSideQuestions.ts';
import { messageView, runView } from '../answers/messageView.ts';

/** How many side questions stand beside the conversation; older ones are in the tree. */
const MAX_SIDE_QUESTIONS = 5;

/** Side questions that were asked where the conversation is shown. */
export class SideQuestions implements Disposable {
  /** The names of the branches that were made by the way, by chat: they change only when branches do. */
  private readonly made = new Map<string, Promise<ReadonlySet<string>>>();
  private readonly subscription: Disposable;

  constructor(
    private readonly store: ReadonlyStore,
    private readonly runs: Runs,
    private readonly dismissed: DismissedSideQuestions,
    private readonly approvals: Approvals,
  ) {
    this.subscription = store.onDidChange((change) => {
      if (change.kind === 'chat' || change.kind === 'branch') this.made.delete(change.chatId);
    });
  }

  /** Another window may have changed anything. */
  forget(): void {
    this.made.clear();
  }

  /** Those that fork from one of `shown`, the messages of the active branch that are shown. */
  async read(
    chatId: string,
    branches: readonly BranchData[],
    shown: ReadonlySet<string>,
  ): Promise<SideQuestionView[]> {
    const made = await this.madeIn(chatId);
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
    { chatId, name, headMessageId }: BranchData,
    fork: string,
  ): Promise<SideQuestionView | undefined> {
    if (headMessageId === null) return undefined;
    const own = (await this.store.getPathAfter(chatId, fork, headMessageId)) ?? [];
    const said = own.flatMap((message) => messageView(message, []) ?? []);
    const question = said.find(({ role }) => role === 'user');
    if (!question) return undefined;
    const run = this.runs.get(chatId, name);
    // What is being written now, or else the last that was said.
    const answer = run ? runView(run, this.approvals) : said.findLast(({ role }) => role === 'assistant');
    const text = question.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n\n');
    return { branch: name, question: text, ...(answer ? { answer } : {}) };
  }

  private madeIn(chatId: string): Promise<ReadonlySet<string>> {
    const known = this.made.get(chatId);
    if (known) return known;
    const made = this.store.listEvents(chatId).then(madeByTheWay);
    this.made.set(chatId, made);
    made.catch(() => this.made.delete(chatId));
    return made;
  }
}

/** The names that branches made by the way have now. */
function madeByTheWay(events: readonly LogEvent[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, branch, details } of events) {
    if (branch === undefined) continue;
    if (kind === 'btw') names.add(branch);
    const { from } = details;
    if (kind === 'branch-renamed' && typeof from === 'string' && names.delete(from)) names.add(branch);
  }
  return names;
}
