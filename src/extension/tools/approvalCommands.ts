import * as vscode from 'vscode';
import type { Services } from '../services.ts';
import { notify } from '../ui/notifications.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

/** Taking back what tools were allowed for more than once. */
export function approvalCommands({ approvals }: Services): CommandHandlers<'resetApprovals'> {
  return {
    resetApprovals: async () => {
      await approvals.reset();
      void notify.information(
        vscode.l10n.t('Tools ask again before they write files or use other programs.'),
      );
    },
  };
}
