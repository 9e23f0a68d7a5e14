import * as vscode from 'vscode';
import type { CommandPart } from '../commands/commandHandlers.ts';
import { logFailure } from '../ui/failures.ts';
import type { Services } from '../services.ts';
import { ConversationTree } from './conversationTree.ts';
import { registerTreeFilter } from './filterCommands.ts';
import type { TreeDrag } from './treeDrag.ts';
import type { TreeNode } from './treeNodes.ts';
import { TreeView } from '../ui/treeView.ts';

const TREE_VIEW = 'offshoot.tree';

/** Shows the tree, keeps it up to date, and brings the branch one goes to into view. */
export function registerTree(
  services: Services,
  drag: TreeDrag,
): CommandPart<'filterTree' | 'clearTreeFilter' | 'showMoreBranches'> {
  const { store, current, marks, runs, log, onDidRefresh } = services;
  const tree = new ConversationTree(services);
  const view = new TreeView<TreeNode>(TREE_VIEW, {
    treeDataProvider: tree,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: drag,
  });
  // It is revealed when another one becomes active, not each time something is said on it.
  let revealed: string | undefined;
  const reveal = async (): Promise<void> => {
    const node = view.visible ? await tree.activeBranch() : undefined;
    if (!node || node.id === revealed) return;
    revealed = node.id;
    await view.reveal(node, { select: true, focus: false, expand: true });
  };
  const revealSoon = (): void => {
    reveal().catch((error: unknown) => logFailure(log, 'The active branch could not be revealed', error));
  };
  const refresh = (): void => tree.refresh();
  const filter = registerTreeFilter(tree, view, services);
  const parts = vscode.Disposable.from(
    tree,
    view,
    filter,
    view.onDidChangeVisibility(({ visible }) => {
      tree.isVisible = visible;
      revealSoon();
    }),
    tree.onDidChangeTreeData(revealSoon),
    store.onDidChange((change) => {
      if (change.kind === 'chat' && change.change !== 'updated') tree.refresh();
      else tree.refreshChat(change.chatId);
    }),
    current.onDidChange(refresh),
    marks.onDidChange(refresh),
    onDidRefresh(refresh),
    runs.onDidChange(({ kind, run }) => {
      if (kind !== 'delta') tree.refreshChat(run.chatId);
    }),
  );
  return { handlers: filter.handlers, dispose: () => void parts.dispose() };
}
