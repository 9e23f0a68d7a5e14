import * as vscode from 'vscode';
import { notify } from '../ui/notifications.ts';
import { together, type CommandHandlers } from '../commands/commandHandlers.ts';
import { selectToolsCommands, type SelectToolsDeps } from './selectToolsCommands.ts';
import { selectModeCommands, type SelectModeDeps } from './selectModeCommands.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';

export interface ToolsCommandsDeps extends SelectModeDeps, SelectToolsDeps {
  readonly approvals: Approvals;
}

/** Commands that set what models may do, and revoke permanent permissions of tools. */
export function toolsCommands(
  deps: ToolsCommandsDeps,
): CommandHandlers<'resetApprovals' | 'selectMode' | 'selectTools'> {
  return together(selectModeCommands(deps), selectToolsCommands(deps), resetCommands(deps));
}

function resetCommands({
  approvals,
}: Pick<ToolsCommandsDeps, 'approvals'>): CommandHandlers<'resetApprovals'> {
  return {
    resetApprovals: async () => {
      await approvals.reset();
      void notify.information(
        vscode.l10n.t('Tools ask again before they write files or use other programs.'),
      );
    },
  };
}
