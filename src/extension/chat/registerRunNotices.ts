import type * as vscode from 'vscode';
import type { Run, RunEvent } from '../../agent/run/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import { isToolPart } from '../../engine/uiMessage.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { activityOf } from '../commands/runActivity.ts';
import { logFailure } from '../ui/failures.ts';
import type { ChatSurfaces, notifyOfRun, SeenRun } from './notifyOfRun.ts';

/** How long a notification waits, in milliseconds: a queued question or an automatic approval may follow. */
const SETTLE_MS = 500;

type Load = () => Promise<{ readonly notifyOfRun: typeof notifyOfRun }>;

export function registerRunNotices(...made: ConstructorParameters<typeof RunNotices>): Disposable {
  return new RunNotices(...made);
}

interface Progress {
  readonly startedAt: number;
  hasUsedTools: boolean;
}

class RunNotices implements Disposable {
  private readonly progress = new Map<Run, Progress>();
  /** The chats with pending approvals that were handled. */
  private readonly asking = new Set<string>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private readonly subscriptions = new DisposableStore();

  constructor(
    private readonly deps: Parameters<typeof notifyOfRun>[0] & {
      readonly approvals: Approvals;
      readonly log: vscode.LogOutputChannel;
    },
    private readonly load: Load,
    private readonly surfaces: ChatSurfaces,
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
    const duration = Date.now() - known.startedAt;
    this.tellSoon(() => ({ run, asks: false, duration, hasUsedTools: known.hasUsedTools }));
  }

  /** Simultaneous approvals in one chat cause one notification. */
  private followApprovals(): void {
    const { runs, approvals } = this.deps;
    const waiting = new Set(approvals.list().map(({ chatId }) => chatId));
    for (const chatId of this.asking) if (!waiting.has(chatId)) this.asking.delete(chatId);
    for (const chatId of waiting) {
      if (this.asking.has(chatId)) continue;
      this.asking.add(chatId);
      this.tellSoon(() => {
        const run = runs.list(chatId).find((each) => activityOf(each, approvals) === 'asking');
        return run && { run, asks: true, duration: 0, hasUsedTools: true };
      });
    }
  }

  private tellSoon(read: () => SeenRun | undefined): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.tell(read()).catch((error: unknown) =>
        logFailure(this.deps.log, 'A notification of an answer', error),
      );
    }, SETTLE_MS);
    this.timers.add(timer);
  }

  private async tell(seen: SeenRun | undefined): Promise<void> {
    if (seen) await (await this.load()).notifyOfRun(this.deps, this.surfaces, seen);
  }
}
