import * as vscode from 'vscode';
import type { Run, RunEvent, Runs } from '../../agent/runs.ts';
import { isToolPart } from '../../engine/uiMessage.ts';
import { waitsForUser } from '../../agent/waitingNotice.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { MessageQueue } from '../../conversation/messageQueue.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { sideQuestionBranches } from '../../engine/sideQuestionBranches.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { DisposableStore } from '../../kit/disposableStore.ts';
import { activityOf } from '../chats/runActivity.ts';
import type { Settings } from '../settings/settings.ts';
import { logFailure } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { shownName } from '../ui/shownName.ts';
import { isNotified, type RunMoment } from './runNoticePolicy.ts';

export interface RunNoticesDeps {
  readonly approvals: Approvals;
  readonly log: vscode.LogOutputChannel;
  readonly queue: MessageQueue;
  readonly runs: Runs;
  readonly settings: Settings;
  readonly store: ReadonlyStore;
}

/** Where chats are shown. */
export interface ChatSurfaces {
  /** Whether a page with this chat is in sight. */
  isShown(chatId: string): Promise<boolean>;
  /** Brings a chat to the front, where it is open. */
  show(chatId: string): Promise<void>;
}

/** A notification waits this long, in milliseconds: a queued question may follow, and what asks may be answered by itself. */
const SETTLE_MS = 500;

/** How much of a title a notification has, in characters. */
const TITLE_LENGTH = 60;

/** Notifies of runs that ended, failed, or wait, where nobody is there to see it. */
export function registerRunNotices(
  deps: RunNoticesDeps,
  surfaces: ChatSurfaces,
  /** Whether answers of this chat are in sight side by side. */
  areAlternativesShown: (chatId: string) => boolean,
): Disposable {
  return new RunNotices(deps, surfaces, areAlternativesShown);
}

interface Progress {
  readonly startedAt: number;
  hasUsedTools: boolean;
}

class RunNotices implements Disposable {
  private readonly progress = new Map<Run, Progress>();
  /** The chats in which something waits that was looked at. */
  private readonly asking = new Set<string>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private readonly subscriptions = new DisposableStore();

  constructor(
    private readonly deps: RunNoticesDeps,
    private readonly surfaces: ChatSurfaces,
    private readonly areAlternativesShown: (chatId: string) => boolean,
  ) {
    this.subscriptions.addAll(
      deps.runs.onDidChange((event) => this.follow(event)),
      deps.approvals.onDidChange(() => this.followApprovals()),
    );
  }

  dispose(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.subscriptions.dispose();
  }

  private follow(event: RunEvent): void {
    const { run } = event;
    if (event.kind === 'started') this.progress.set(run, { startedAt: Date.now(), hasUsedTools: false });
    const known = this.progress.get(run);
    if (event.kind === 'part' && known && isToolPart(event.part)) known.hasUsedTools = true;
    if (event.kind !== 'finished' || !known) return;
    this.progress.delete(run);
    const moment = {
      kind: kindOf(run),
      duration: Date.now() - known.startedAt,
      hasUsedTools: known.hasUsedTools,
    };
    this.soon(() => this.look(run, moment));
  }

  /** What waits at the same time in one chat is one thing to be told of. */
  private followApprovals(): void {
    const waiting = new Set(this.deps.approvals.list().map(({ chatId }) => chatId));
    for (const chatId of this.asking) if (!waiting.has(chatId)) this.asking.delete(chatId);
    for (const chatId of waiting) {
      if (this.asking.has(chatId)) continue;
      this.asking.add(chatId);
      this.soon(async () => {
        const { runs, approvals } = this.deps;
        const run = runs.list(chatId).find((each) => activityOf(each, approvals) === 'asking');
        if (run) await this.look(run, { kind: 'asks', duration: 0, hasUsedTools: true });
      });
    }
  }

  private soon(work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work().catch((error: unknown) => logFailure(this.deps.log, 'A notification of an answer', error));
    }, SETTLE_MS);
    this.timers.add(timer);
  }

  private async look(run: Run, seen: Pick<RunMoment, 'kind' | 'duration' | 'hasUsedTools'>): Promise<void> {
    const { runs, settings, store, queue } = this.deps;
    const { chatId, branch: name } = run;
    const chat = await store.getChat(chatId);
    const branch = chat && (await store.getBranch(chatId, name));
    // What is gone needs nobody.
    if (!chat || !branch) return;
    const events = await store.listEvents(chatId, { kinds: ['btw', 'branch-renamed'] });
    const isSideQuestion = sideQuestionBranches(events).has(name);
    const isNextSent = seen.kind === 'ended' && (await queue.list(chatId, branch.id)).length > 0;
    const goesOn = isNextSent || runs.list(chatId).some((other) => other !== run);
    const isInFront = isSideQuestion || branch.isActive;
    const isShown = (isInFront && (await this.surfaces.isShown(chatId))) || this.areAlternativesShown(chatId);
    const attendance = { isFocused: vscode.window.state.focused, isShown };
    const moment = { ...seen, isSideQuestion, goesOn };
    if (!isNotified(moment, attendance, settings.get('notifications.runs'))) return;
    const show = vscode.l10n.t('Show Chat');
    const title = shownName(chat.title ?? vscode.l10n.t('New chat'), TITLE_LENGTH);
    // Nothing waits for the answer.
    if ((await tell(seen.kind, title, show)) === show) await this.surfaces.show(chatId);
  }
}

function kindOf({ status, error, notice }: Run): RunMoment['kind'] {
  if (status === 'failed') return 'failed';
  // The user did not stop it where there is a reason.
  if (status === 'interrupted') return error ? 'failed' : 'stopped';
  return waitsForUser(notice) ? 'waits' : 'ended';
}

function tell(kind: RunMoment['kind'], title: string, button: string): Promise<string | undefined> {
  switch (kind) {
    case 'ended':
    case 'stopped':
      return notify.information(vscode.l10n.t('The answer in “{0}” is ready.', title), button);
    case 'failed':
      return notify.warning(vscode.l10n.t('The answer in “{0}” failed.', title), button);
    case 'waits':
      return notify.information(vscode.l10n.t('“{0}” is waiting for you to continue.', title), button);
    case 'asks':
      return notify.information(vscode.l10n.t('“{0}” is waiting for your approval.', title), button);
  }
}
