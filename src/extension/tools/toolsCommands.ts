import * as vscode from 'vscode';
import { notify } from '../ui/notifications.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';

export interface ToolsCommandsDeps {
  readonly approvals: Approvals;
}

/** Taking back what tools were allowed for more than once. */
export function toolsCommands({ approvals }: ToolsCommandsDeps): CommandHandlers<'resetApprovals'> {
  return {
    resetApprovals: async () => {
      await approvals.reset();
      void notify.information(
        vscode.l10n.t('Tools ask again before they write files or use other programs.'),
      );
    },
  };
}
