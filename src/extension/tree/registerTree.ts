import * as vscode from 'vscode';
import type { CommandPart, CommandHandlers } from '../commands/commandHandlers.ts';
import { logFailure } from '../ui/failures.ts';
import { activeBranchReveal } from './activeBranchReveal.ts';
import { ConversationTree } from './conversationTree.ts';
import { registerTreeFilter, type FilterCommand } from './filterCommands.ts';
import { TreeDrag } from './treeDrag.ts';
import type { TreeNode } from './treeNodes.ts';
import { TreeView } from '../ui/treeView.ts';
import type { ChatMarks } from '../../conversation/chatMarks.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import type { RelatedChats } from '../storage/relatedChats.ts';
import { runCommand } from '../manifest/runCommand.ts';

export type TreeCommand = FilterCommand | RowCommand;

export interface RegisteredTree extends CommandPart<TreeCommand> {
  readonly drag: TreeDrag;
}

const TREE_VIEW = 'offshoot.tree';

export function registerTree(
  deps: ConstructorParameters<typeof ConversationTree>[0] & {
    readonly marks: ChatMarks;
    readonly onDidRefresh: vscode.Event<void>;
    readonly related: RelatedChats;
    readonly ownFiles: Pick<OwnFiles, 'onDidChange'>;
  },
): RegisteredTree {
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
  const filter = registerTreeFilter(tree, view, log);
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
    deps.ownFiles.onDidChange(refresh),
    deps.related.onDidChange(refresh),
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

type RowCommand = 'renameSelected' | 'deleteSelected';

/** Key bindings of the tree: VS Code passes them no row, unlike the commands of a row's menu. */
function rowCommands(view: Pick<TreeView<TreeNode>, 'rowsUnderKey'>): CommandHandlers<RowCommand> {
  return {
    renameSelected: async () => {
      const [row, ...more] = await view.rowsUnderKey();
      if (!row || more.length > 0) return;
      switch (row.kind) {
        case 'chat':
          return runCommand('offshoot.renameChat', row);
        case 'branch':
          return runCommand('offshoot.renameBranch', row);
        case 'checkpoint':
          return runCommand('offshoot.renameCheckpoint', row);
        case 'more':
        case 'otherChat':
        case 'project':
        case 'tasks':
          return;
      }
    },
    deleteSelected: async () => {
      const rows = await view.rowsUnderKey();
      for (const row of rows) {
        if (row.kind === 'checkpoint') await runCommand('offshoot.deleteCheckpoint', row);
      }
      const branches = rows.filter(({ kind }) => kind === 'branch');
      const [first] = branches;
      if (first) await runCommand('offshoot.deleteBranch', first, branches);
      // Last: a selected row below a chat is deleted with it.
      for (const row of rows) if (row.kind === 'chat') await runCommand('offshoot.deleteChat', row);
    },
  };
}
