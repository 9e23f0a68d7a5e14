import * as vscode from 'vscode';
import type { Writing } from '../../conversation/summaries.ts';
import { numberText } from '../ui/formats.ts';
import { withProgress } from '../ui/progress.ts';

/** Shows that a summary is being written, with a button to stop it. */
export async function whileWriting<T>(title: string, work: (writing: Writing) => Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    const subscription = token.onCancellationRequested(() => stop.abort());
    try {
      return await work({
        signal: stop.signal,
        onProgress: ({ length, portion, portions }) => {
          const written = vscode.l10n.t('{0} characters', numberText(length));
          const message =
            portions === 1 ? written : vscode.l10n.t('Part {0} of {1}: {2}', portion, portions, written);
          progress.report({ message });
        },
      });
    } finally {
      subscription.dispose();
    }
  });
}
