import * as vscode from 'vscode';
import { logFailure } from './failures.ts';
import type { Services } from './services.ts';

/** Answers that a crash cut off become interrupted answers, as soon as this window may write. */
export function registerRecovery({ runs, log, store, onDidRefresh, banners }: Services): vscode.Disposable {
  const recover = async (): Promise<void> => {
    try {
      const count = await runs.recover();
      if (count > 0) log.info(`${count} answers that were cut off have been recovered`);
    } catch (error) {
      logFailure(log, 'Answers could not be recovered', error);
    }
    if (store.isReadOnly) {
      banners.show({
        id: 'read-only',
        severity: 'warning',
        text: vscode.l10n.t(
          'Another window is writing to these conversations, so this one only shows them. It takes over when the other is closed.',
        ),
      });
    } else banners.hide('read-only');
  };
  // Not during activation: this opens the database.
  const timer = setTimeout(() => void recover(), 0);
  const subscription = onDidRefresh(() => void recover());
  return vscode.Disposable.from(subscription, { dispose: () => clearTimeout(timer) });
}
