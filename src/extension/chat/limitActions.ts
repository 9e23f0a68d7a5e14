import * as vscode from 'vscode';
import type { LimitAction } from '../../protocol/views.ts';
import { runCommand } from '../manifest/runCommand.ts';

/** Does what the page offers for something that is unavailable in this window. */
export async function takeLimitAction(action: LimitAction): Promise<void> {
  switch (action) {
    case 'manageTrust':
      await vscode.commands.executeCommand('workbench.trust.manage');
      return;
    case 'checkForUpdates':
      await vscode.commands.executeCommand('workbench.extensions.action.checkForUpdates');
      return;
    case 'showLog':
      return runCommand('offshoot.showLog');
    case 'reconnect':
      return runCommand('offshoot.openStorageAgain');
  }
}
