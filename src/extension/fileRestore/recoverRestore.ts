import * as vscode from 'vscode';
import type { RecoveredRestore } from '../../fileRestore/restorer.ts';
import { notify } from '../ui/notifications.ts';

/** Reports the outcome of a restore that was cut off when the program ended. */
export function notifyRecoveredRestore({ outcome, notPutBack }: RecoveredRestore): void {
  switch (outcome) {
    case 'completed':
      return;
    case 'damaged':
      void notify.warning(
        vscode.l10n.t(
          'A restore of files was cut off, and its record cannot be read. Look at your files, and at restore.json.damaged in the storage folder.',
        ),
      );
      return;
    case 'undone':
      if (notPutBack.length === 0) {
        void notify.information(
          vscode.l10n.t('A restore of files was cut off. All files are as they were before it.'),
        );
      } else {
        void notify.warning(
          vscode.l10n.t(
            'A restore of files was cut off and taken back, but for these, which are different by now: {0}',
            notPutBack.join(', '),
          ),
        );
      }
  }
}
