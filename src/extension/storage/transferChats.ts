import * as vscode from 'vscode';
import type { CopiedChat, MissingFile } from '../../conversation/copyChat.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { withProgress } from '../ui/progress.ts';

/** Takes chats one by one: what fails stays where it is, and the others are taken. */
export async function transfer(
  chats: readonly { readonly id: string; readonly label: string }[],
  take: (id: string) => Promise<CopiedChat>,
  { title, log }: { readonly title: string; readonly log: vscode.LogOutputChannel },
): Promise<{ readonly failures: number }> {
  const failures: string[] = [];
  const missing: MissingFile[] = [];
  await withProgress({ location: vscode.ProgressLocation.Notification, title }, async (progress) => {
    for (const { id, label } of chats) {
      progress.report({ message: label, increment: 100 / chats.length });
      try {
        missing.push(...(await take(id)).missing);
      } catch (error) {
        logFailure(log, 'A chat could not be taken to another store', error);
        failures.push(`${label}: ${messageOf(error)}`);
      }
    }
  });
  if (failures.length > 0) {
    void notify.error(
      vscode.l10n.t(
        'Chats taken: {0}. These stay where they were: {1}',
        chats.length - failures.length,
        failures.join(' · '),
      ),
    );
  }
  reportMissing(missing);
  return { failures: failures.length };
}

/** Files that were lost before are reported, so that nobody looks for them. */
export function reportMissing(missing: readonly MissingFile[]): void {
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(({ name }) => name ?? vscode.l10n.t('unnamed file')))];
  void notify.warning(
    vscode.l10n.t('These files were already missing and couldn’t be taken along: {0}', names.join(', ')),
  );
}
