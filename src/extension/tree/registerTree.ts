import * as vscode from 'vscode';
import type { CommandPart } from '../commands/commandHandlers.ts';
import { logFailure } from '../ui/failures.ts';
import { activeBranchReveal } from './activeBranchReveal.ts';
import { ConversationTree } from './conversationTree.ts';
import { registerTreeFilter, type FilterCommand, type FilterCommandsDeps } from './filterCommands.ts';
import { rowCommands, type RowCommand } from './rowCommands.ts';
import { TreeDrag } from './treeDrag.ts';
import type { TreeNode } from './treeNodes.ts';
import { TreeView } from '../ui/treeView.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import type { ChatMarks } from '../../conversation/chatMarks.ts';
import type { Runs } from '../../agent/runs.ts';
import type { SharedChats } from '../shared/sharedChats.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export interface RegisterTreeDeps extends FilterCommandsDeps {
  readonly approvals: Approvals;
  readonly current: CurrentChat;
  readonly labels: BranchLabels;
  readonly marks: ChatMarks;
  readonly onDidRefresh: vscode.Event<void>;
  readonly runs: Runs;
  readonly shared: SharedChats | undefined;
  readonly store: ReadonlyStore;
  readonly userId: string;
}

export type TreeCommand = FilterCommand | RowCommand;

export interface RegisteredTree extends CommandPart<TreeCommand> {
  /** What is dragged out of the tree. */
  readonly drag: TreeDrag;
}

const TREE_VIEW = 'offshoot.tree';

/** Shows the tree, keeps it up to date, and reveals the branch the user switches to. */
export function registerTree(deps: RegisterTreeDeps): RegisteredTree {
  const { store, current, marks, runs, log, onDidRefresh } = deps;
  const tree = new ConversationTree(deps);
  const drag = new TreeDrag();
  const view = new TreeView<TreeNode>(TREE_VIEW, {
    treeDataProvider: tree,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: drag,
  });
  const reveal = activeBranchReveal({
    isVisible: () => view.visible,
    activeBranch: () => tree.activeBranch(),
    reveal: (node) => view.reveal(node, { select: true, focus: false, expand: true }),
  });
  const revealSoon = (): void => {
    reveal().catch((error: unknown) => logFailure(log, 'The active branch could not be revealed', error));
  };
  const refresh = (): void => tree.refresh();
  const filter = registerTreeFilter(tree, view, deps);
  const parts = vscode.Disposable.from(
    tree,
    drag,
    view,
    filter,
    view.onDidChangeVisibility(({ visible }) => {
      tree.isVisible = visible;
      revealSoon();
    }),
    tree.onDidChangeTreeData(revealSoon),
    store.onDidChange((change) => {
      if (change.kind === 'chat' && change.change !== 'updated') tree.refresh();
      else if (change.kind !== 'draft') tree.refreshChat(change.chatId);
    }),
    current.onDidChange(refresh),
    marks.onDidChange(refresh),
    onDidRefresh(refresh),
    ...(deps.shared ? [deps.shared.onDidChange((chatId) => tree.refreshChat(chatId))] : []),
    runs.onDidChange(({ kind, run }) => {
      if (kind !== 'delta') tree.refreshChat(run.chatId);
    }),
  );
  return {
    drag,
    handlers: { ...filter.handlers, ...rowCommands(view) },
    dispose: () => void parts.dispose(),
  };
}
