import * as vscode from 'vscode';
import { logFailure, messageOf } from './failures.ts';
import { notify } from './notifications.ts';

/** Returns at once, so a failed undo is reported here. */
export function offerUndo(
  log: vscode.LogOutputChannel,
  whatWasDone: string,
  undo: () => Promise<unknown>,
): void {
  const button = vscode.l10n.t('Undo');
  const ask = async (): Promise<void> => {
    if ((await notify.information(whatWasDone, button)) !== button) return;
    try {
      await undo();
    } catch (error) {
      logFailure(log, 'Undo', error);
      await notify.error(messageOf(error));
    }
  };
  void ask();
}
