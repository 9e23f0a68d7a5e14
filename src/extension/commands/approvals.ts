import * as vscode from 'vscode';
import type { Services } from '../services.ts';

/** Taking back what tools were allowed for more than once. */
export function registerApprovalCommands({ approvals, commands }: Services): vscode.Disposable {
  return commands.add({
    resetApprovals: async () => {
      await approvals.reset();
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Tools ask again before they write files or use other programs.'),
      );
    },
  });
}
