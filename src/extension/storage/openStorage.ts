import * as vscode from 'vscode';
import type { Host } from '../../platform/hostMachine.ts';
import { DurableContextStore } from '../../store/durable/durableContextStore.ts';
import type { BannerView } from '../../protocol/views.ts';
import type { RecoveryReport, StorageAccess } from '../../store/durable/storageErrors.ts';
import type { Banners } from '../ui/banners.ts';
import { logFailure } from '../ui/failures.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { notify } from '../ui/notifications.ts';

export interface StorageOptions {
  readonly host: Host;
  readonly folder: vscode.Uri;
  /** What earlier versions kept for further windows of this workspace. */
  readonly others: readonly vscode.Uri[];
  /** No folder is open: all windows without one share these conversations. */
  readonly isShared: boolean;
  readonly banners: Banners;
  readonly log: vscode.LogOutputChannel;
  /** Another window wrote something that was not announced, or this one became the writer: anything may be different. */
  readonly onDidRefresh: () => void;
}

function noFolderBanner(): BannerView {
  return {
    id: 'no-folder',
    severity: 'info',
    text: vscode.l10n.t('No folder open. Chats are shared across empty windows.'),
  };
}

/**
 * The conversations of this workspace, or those of no workspace while no folder is open. Nothing is read before the
 * first conversation is asked for.
 */
export function openStorage({
  host,
  folder,
  others,
  isShared,
  banners,
  log,
  onDidRefresh,
}: StorageOptions): DurableContextStore {
  if (isShared) banners.show(noFolderBanner());
  log.info(`Conversations are kept in ${folder.toString()}`);
  return new DurableContextStore({
    folder: host.pathOf(folder.toString()),
    hasOwnFolder: true,
    platform: host,
    // VS Code waits some five seconds for extensions to end; what is not in the database file then is in its journal.
    closeWithinMs: 3_000,
    ...(others.length > 0 ? { adoptFrom: others.map((each) => host.pathOf(each.toString())) } : {}),
    onDidAdopt: (chats) => log.info(`${chats} chats of other windows of this workspace were added`),
    onRecovery: (report) => void reportRecovery(report, host, banners, log),
    onError: (error) => logFailure(log, 'Storage', error),
    onDidChangeAccess: (access) => reportAccess(access, banners),
    onDidRefresh,
  });
}

function reportAccess(access: StorageAccess, banners: Banners): void {
  const id = 'read-only';
  switch (access.kind) {
    case 'writer':
    case 'through-writer':
      banners.hide(id);
      return;
    case 'other-writer':
      banners.show({
        ...{ id, severity: 'warning', limit: {} },
        text: vscode.l10n.t(
          'Another window is writing to these conversations and can’t be reached, so this one is read-only. Close the other window, or update Offshoot in it.',
        ),
      });
      return;
    case 'newer-version':
      banners.show({
        ...{ id, severity: 'warning', limit: { action: 'checkForUpdates' } },
        text: vscode.l10n.t(
          'These conversations were written by a newer version of Offshoot, so they are only shown. Update Offshoot to continue them.',
        ),
      });
      return;
    case 'not-writable':
      banners.show({
        ...{ id, severity: 'warning', limit: { action: 'showLog' } },
        text: vscode.l10n.t(
          'These conversations cannot be written to, so they are only shown: {0}. This is tried again all the time.',
          access.reason,
        ),
      });
  }
}

async function reportRecovery(
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
    'written-anew': vscode.l10n.t(
      'The stored conversations were removed, and have been written again from memory. Attached files are gone. Export what matters to you.',
    ),
  }[outcome];
  log.error(`${text} (${keptAside.join(', ')})`);
  banners.show({ id: 'recovery', severity: 'warning', text: `${text} ${keptAside.join(', ')}` });
  const show = vscode.l10n.t('Show the File');
  const [file] = keptAside;
  const exportAll = vscode.l10n.t('Export All');
  const ways = outcome === 'written-anew' ? [exportAll] : file === undefined || isBrowser ? [] : [show];
  const answer = await notify.warning(text, ...ways);
  if (answer === exportAll) await runCommand('offshoot.exportAll');
  if (answer === show && file !== undefined) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
  }
}
