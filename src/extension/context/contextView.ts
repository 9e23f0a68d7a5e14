import * as vscode from 'vscode';
import { logFailure } from '../failures.ts';
import type { Services } from '../services.ts';
import { contextItem } from './contextItems.ts';
import { childrenOf, sectionsOf, type ContextNode } from './contextNodes.ts';
import type { ContextNow, CurrentContext } from './currentContext.ts';
import { percentText, shareOf, shortTokens } from './tokensText.ts';

export const CONTEXT_VIEW = 'offshoot.context';

/** What stands at the head of the current branch, as it was counted last. */
export class ContextTree implements vscode.TreeDataProvider<ContextNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly subscription: vscode.Disposable;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly context: CurrentContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscription = context.onDidChange(() => this.changed.fire(undefined));
  }

  async getChildren(node?: ContextNode): Promise<ContextNode[]> {
    try {
      const now = this.context.now ?? (await this.context.read());
      if (node) return childrenOf(now, node);
      return now.branch ? sectionsOf(now) : [];
    } catch (error) {
      logFailure(this.log, 'The context could not be shown', error);
      return [];
    }
  }

  async getTreeItem(node: ContextNode): Promise<vscode.TreeItem> {
    return contextItem(this.context.now ?? (await this.context.read()), node);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

/** Shows state, artifacts and tokens at the head, whichever branch one goes to. */
export function registerContextView({ context, log }: Services): vscode.Disposable {
  const tree = new ContextTree(context, log);
  const view = vscode.window.createTreeView(CONTEXT_VIEW, { treeDataProvider: tree, showCollapseAll: true });
  const describe = (now: ContextNow): void => {
    view.description = now.branch ? summary(now) : '';
  };
  return vscode.Disposable.from(tree, view, context.onDidChange(describe));
}

/** The branch, its tokens, and how much of the window they are. */
function summary(now: ContextNow): string {
  const share = shareOf(now);
  return [
    ...(now.branch ? [now.branch.name] : []),
    shortTokens(now.tokens),
    ...(share === undefined ? [] : [percentText(share)]),
  ].join(' · ');
}
