import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../engine/event.ts';
import type { Approvals, PendingApproval } from '../../agent/tools/approvals.ts';
import { logFailure } from '../failures.ts';
import { openComparison } from '../ui/tabs.ts';

const SCHEME = 'offshoot-proposed';

/** What tools want to write, beside what is there, in VS Code's diff editor for as long as the question stands. */
export class ProposedChanges implements vscode.TextDocumentContentProvider, Disposable {
  private readonly subscriptions: Disposable[] = [];
  /** Those that are shown, or were: each opens by itself once. */
  private readonly shown = new Map<string, PendingApproval>();

  constructor(
    private readonly approvals: Approvals,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions.push(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      approvals.onDidChange(() => this.follow()),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const [id = '', side] = uri.query.split('&');
    const preview = this.shown.get(id)?.preview;
    return (side === 'before' ? preview?.before : preview?.after) ?? '';
  }

  /** Shows what is asked under this id; the keyboard stays where it is. */
  async show(id: string): Promise<void> {
    const approval = this.approvals.get(id);
    const preview = approval?.preview;
    if (!preview) return;
    this.shown.set(id, approval);
    await openComparison(
      uriOf(id, preview.fsPath, 'before'),
      uriOf(id, preview.fsPath, 'after'),
      vscode.l10n.t('{0} (proposed)', preview.shown),
      { preview: true, preserveFocus: true },
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
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

/** Named as the file, so that it is read as its language. */
function uriOf(id: string, fsPath: string, side: 'before' | 'after'): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${path.basename(fsPath)}`, query: `${id}&${side}` });
}
