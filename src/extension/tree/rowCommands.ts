import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { TreeView } from '../ui/treeView.ts';
import type { TreeNode } from './treeNodes.ts';

export type RowCommand = 'renameSelected' | 'deleteSelected';

/** Key bindings of the tree: VS Code passes them no row, unlike the commands of a row's menu. */
export function rowCommands(view: Pick<TreeView<TreeNode>, 'rowsUnderKey'>): CommandHandlers<RowCommand> {
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
