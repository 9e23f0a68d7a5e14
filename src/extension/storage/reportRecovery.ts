import * as vscode from 'vscode';
import type { Host } from '../../host/hostMachine.ts';
import type { RecoveryReport } from '../../store/durable/storageErrors.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Banners } from '../ui/banners.ts';
import { notify } from '../ui/notifications.ts';

export async function reportRecovery(
  { outcome, keptAside }: RecoveryReport,
  { isBrowser }: Host,
  banners: Banners,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const text = {
    'journal-cut': vscode.l10n.t(
      'The conversation file was damaged. Everything before the damage was recovered; the damaged file is kept.',
    ),
    'backup-used': vscode.l10n.t(
      'The conversation file was damaged. Its backup is in use; the damaged file is kept.',
    ),
    'new-database': vscode.l10n.t(
      'The conversation file was damaged and could not be read. A new one was begun; the damaged file is kept.',
    ),
    'foreign-journal': vscode.l10n.t(
      'Journals of another conversation database were next to the conversation file. They were not used, and are kept.',
    ),
    'written-anew': vscode.l10n.t(
      'The stored conversations were removed, and have been written again from memory. Attached files are gone. Export what matters to you.',
    ),
  }[outcome];
  log.error(`${text} (${keptAside.join(', ')})`);
  const title = vscode.l10n.t('Conversations recovered');
  banners.show({ id: 'recovery', severity: 'warning', title, text: `${text} ${keptAside.join(', ')}` });
  const show = vscode.l10n.t('Show the File');
  const [file] = keptAside;
  const exportAll = vscode.l10n.t('Export All');
  const canShow = file !== undefined && !isBrowser;
  const ways = outcome === 'written-anew' ? [exportAll] : canShow ? [show] : [];
  const answer = await notify.warning(text, ...ways);
  if (answer === exportAll) await runCommand('offshoot.exportAll');
  if (answer === show && file !== undefined) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
  }
}
