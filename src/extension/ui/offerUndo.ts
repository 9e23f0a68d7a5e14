import * as vscode from 'vscode';
import { logFailure, messageOf } from './failures.ts';
import { notify } from './notifications.ts';

/** Says what was done, and offers to undo it. Nothing waits for the answer, so what fails then is shown from here. */
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
