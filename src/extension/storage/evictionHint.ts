import * as vscode from 'vscode';
import type { Runs } from '../../agent/run/runs.ts';
import { askForPersistence } from '../../host/browser/persistence.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { logFailure } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';

const SHOWN = 'offshoot.evictionHintShown';

/** How many answers there are before the hint: by then there is something to lose. */
const ANSWERS = 3;

/** Shown once, if the browser may delete its storage. */
export function registerEvictionHint(
  { runs, log }: { readonly log: vscode.LogOutputChannel; readonly runs: Runs },
  memory: vscode.Memento,
): vscode.Disposable {
  let answers = 0;
  const hint = async (): Promise<void> => {
    if ((await askForPersistence()) !== 'evictable') return;
    await memory.update(SHOWN, true);
    const exportAll = vscode.l10n.t('Export All');
    const text = vscode.l10n.t(
      'These chats are kept in this browser, which may delete them when space runs low or site data is cleared. Export what matters to you.',
    );
    if ((await notify.information(text, exportAll)) === exportAll) await runCommand('offshoot.exportAll');
  };
  const subscription = runs.onDidChange((event) => {
    if (event.kind !== 'finished' || memory.get(SHOWN) === true) return;
    answers += 1;
    if (answers === ANSWERS) hint().catch((error: unknown) => logFailure(log, 'The hint of storage', error));
  });
  return vscode.Disposable.from(subscription);
}
