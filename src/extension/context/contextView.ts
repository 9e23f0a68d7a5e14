import * as vscode from 'vscode';
import { logFailure } from '../ui/failures.ts';
import { CachedTreeDataProvider } from '../ui/cachedTreeDataProvider.ts';
import type { ContextNode } from './contextNodes.ts';
import type { ContextNow, ContextMeter } from './contextMeter.ts';
import { percentText, shareOf, shortTokens } from '../ui/formats.ts';
import { TreeView } from '../ui/treeView.ts';

export const CONTEXT_VIEW = 'offshoot.context';

export class ContextTree implements vscode.TreeDataProvider<ContextNode>, vscode.Disposable {
  private readonly rows: CachedTreeDataProvider<ContextNode, vscode.TreeItem>;
  private readonly subscription: vscode.Disposable;

  readonly onDidChangeTreeData: (listener: (changed: ContextNode[] | undefined) => void) => vscode.Disposable;

  constructor(
    private readonly context: ContextMeter,
    log: vscode.LogOutputChannel,
  ) {
    // What makes its rows is loaded when the view is first shown.
    this.rows = new CachedTreeDataProvider<ContextNode, vscode.TreeItem>({
      children: async (node) => {
        const now = await this.now();
        const { childrenOf, ledgerNodes, sectionsOf } = await import('./contextNodes.ts');
        if (node?.kind === 'section' && node.section === 'nextLedger')
          return ledgerNodes(await context.nextLedger(now), { isNext: true });
        if (node) return childrenOf(now, node);
        return now.branch ? sectionsOf(now) : [];
      },
      item: async (node) => (await import('./contextItems.ts')).contextItem(await this.now(), node),
      failed: (error) => logFailure(log, 'The context could not be shown', error),
    });
    this.onDidChangeTreeData = this.rows.onDidChange;
    this.subscription = context.onDidChange(() => this.rows.update());
  }

  getChildren(node?: ContextNode): Promise<ContextNode[]> {
    return this.rows.getChildren(node);
  }

  getTreeItem(node: ContextNode): Promise<vscode.TreeItem> | vscode.TreeItem {
    return this.rows.getTreeItem(node);
  }

  /** A hidden tree is not read. */
  set isVisible(isVisible: boolean) {
    this.rows.isVisible = isVisible;
  }

  dispose(): void {
    this.subscription.dispose();
    this.rows.dispose();
  }

  private async now(): Promise<ContextNow> {
    return this.context.now ?? (await this.context.read());
  }
}

export function registerContextView({
  context,
  log,
}: {
  readonly context: ContextMeter;
  readonly log: vscode.LogOutputChannel;
}): vscode.Disposable {
  const tree = new ContextTree(context, log);
  const view = new TreeView<ContextNode>(CONTEXT_VIEW, { treeDataProvider: tree, showCollapseAll: true });
  const describe = (now: ContextNow): void => {
    view.description = now.branch ? summary(now) : '';
  };
  return vscode.Disposable.from(
    tree,
    view,
    context.onDidChange(describe),
    view.onDidChangeVisibility(({ visible }) => {
      tree.isVisible = visible;
    }),
  );
}

function summary(now: ContextNow): string {
  const share = shareOf(now);
  return [
    ...(now.branch ? [now.branchLabel] : []),
    shortTokens(now.tokens),
    ...(share === undefined ? [] : [percentText(share)]),
  ].join(' · ');
}
