import * as vscode from 'vscode';
import type { Services } from '../services.ts';
import { registerCommands } from './register.ts';

/** Taking back what tools were allowed for more than once. */
export function registerApprovalCommands({ approvals, log }: Services): vscode.Disposable {
  return registerCommands(log, {
    resetApprovals: async () => {
      await approvals.reset();
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Tools ask again before they write files or use other programs.'),
      );
    },
  });
}
