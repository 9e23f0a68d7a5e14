import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Approvals, PendingApproval } from '../../agent/tools/approvals.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { logFailure } from '../ui/failures.ts';
import { trueName } from '../files/trueName.ts';
import { openComparison, asText, plainUri } from '../ui/tabs.ts';

const SCHEME = 'offshoot-proposed';

/**
 * The proposed writes of tools, next to the current file, in VS Code's diff editor until the question is answered. Both
 * sides are plain text, with hidden characters spelled out: the preview must not execute anything, nor look like
 * something else.
 */
export class ProposedChanges implements vscode.TextDocumentContentProvider, Disposable {
  private readonly subscriptions: Disposable;
  /** Those that are or were shown: each opens automatically once. */
  private readonly shown = new Map<string, PendingApproval>();

  constructor(
    private readonly approvals: Approvals,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      approvals.onDidChange(() => this.follow()),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const [id = '', side] = uri.query.split('&');
    const preview = this.shown.get(id)?.preview;
    return withHiddenSpelledOut((side === 'before' ? preview?.before : preview?.after) ?? '');
  }

  /** The focus stays where it is. */
  async show(id: string): Promise<void> {
    const approval = this.approvals.get(id);
    const preview = approval?.preview;
    if (!preview) return;
    this.shown.set(id, approval);
    await openComparison(
      uriOf(id, 'before'),
      uriOf(id, 'after'),
      vscode.l10n.t('{0} (proposed)', trueName(preview.shown)),
      { ...asText, preserveFocus: true },
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private follow(): void {
    const asked = new Set(this.approvals.list().map(({ id }) => id));
    const fail = (error: unknown): void => logFailure(this.log, 'Proposed changes', error);
    for (const id of asked) if (!this.shown.has(id)) this.show(id).catch(fail);
    for (const id of this.shown.keys()) if (!asked.has(id)) this.close(id).catch(fail);
  }

  private async close(id: string): Promise<void> {
    this.shown.delete(id);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff &&
        input.modified.scheme === SCHEME &&
        input.modified.query.startsWith(`${id}&`),
    );
    if (own.length > 0) await vscode.window.tabGroups.close(own, true);
  }
}

function uriOf(id: string, side: 'before' | 'after'): vscode.Uri {
  return plainUri(SCHEME, `${id}&${side}`);
}
