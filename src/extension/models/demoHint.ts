import * as vscode from 'vscode';
import { logFailure } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Runs } from '../../agent/run/runs.ts';

const SHOWN = 'offshoot.demoHintShown';

/** Shown once, after the demo's first answer, which no model gave. */
export function registerDemoHint(
  { runs, log }: { readonly log: vscode.LogOutputChannel; readonly runs: Runs },
  memory: vscode.Memento,
): vscode.Disposable {
  const hint = async (): Promise<void> => {
    await memory.update(SHOWN, true);
    const select = vscode.l10n.t('Select Model');
    const text = vscode.l10n.t(
      'This answer comes from the offline demo, so that you can try Offshoot without an account. Select a model to get real answers.',
    );
    if ((await notify.information(text, select)) === select) {
      await runCommand('offshoot.selectModel');
    }
  };
  return vscode.Disposable.from(
    runs.onDidChange((event) => {
      if (event.kind !== 'finished' || !event.run.model.isDemo || memory.get(SHOWN) === true) return;
      hint().catch((error: unknown) => logFailure(log, 'The hint of the demo', error));
    }),
  );
}
