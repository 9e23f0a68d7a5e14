import * as vscode from 'vscode';
import { z } from 'zod';
import type { Disposable } from '../../base/disposable.ts';
import type { ContextWarningView } from '../../protocol/chatFromHost.ts';
import type { ContextNow, ContextMeter } from './contextMeter.ts';
import { compactionOf, type Settings } from '../manifest/settings.ts';
import { percentText, shareOf } from '../ui/formats.ts';

/** The shares of the context window from which the user is warned, once for each. */
export const THRESHOLDS = [0.8, 0.95] as const;

const KEY = 'offshoot.contextWarnings';

/** How many dismissals are remembered; old ones are of branches that are no longer used. */
const MAX_REMEMBERED = 200;

/** Once dismissed, a warning is not shown again before the next threshold. */
export class ContextWarnings implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: Disposable;
  private shown: string | undefined;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly context: ContextMeter,
    private readonly memory: vscode.Memento,
    private readonly settings: Pick<Settings, 'get'>,
  ) {
    this.subscription = context.onDidChange(() => this.follow());
  }

  read(branchId: string): ContextWarningView | undefined {
    const { now } = this.context;
    const key = now && keyOf(now);
    if (!now || now.branch?.id !== branchId || key === undefined || this.dismissed().includes(key)) {
      return undefined;
    }
    const share = shareOf(now) ?? 0;
    // The next question makes room automatically.
    if (share < 1 && compactionOf(this.settings).enabled) return undefined;
    const model = now.model?.label ?? vscode.l10n.t('the model');
    const text =
      share >= 1
        ? vscode.l10n.t('Context window of {0} exceeded.', model)
        : vscode.l10n.t(
            'This conversation takes {0} of the context window of {1}.',
            percentText(share),
            model,
          );
    return { text, ...(share >= 1 ? { isFull: true } : {}) };
  }

  async dismiss(): Promise<void> {
    const key = this.context.now && keyOf(this.context.now);
    if (key === undefined) return;
    await this.memory.update(KEY, [...this.dismissed(), key].slice(-MAX_REMEMBERED));
    this.follow();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private follow(): void {
    const id = this.context.now?.branch?.id;
    const shown = id === undefined ? undefined : this.read(id)?.text;
    if (shown === this.shown) return;
    this.shown = shown;
    this.changed.fire();
  }

  private dismissed(): string[] {
    return z.array(z.string()).catch([]).parse(this.memory.get(KEY));
  }
}

/** Undefined below all thresholds. */
function keyOf(now: ContextNow): string | undefined {
  const share = shareOf(now);
  const over = THRESHOLDS.findLast((threshold) => share !== undefined && share >= threshold);
  return over === undefined || !now.branch ? undefined : `${now.branch.id} ${over}`;
}
