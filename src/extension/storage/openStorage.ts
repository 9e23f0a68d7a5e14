import * as vscode from 'vscode';
import type { Host } from '../../host/hostMachine.ts';
import { DurableContextStore } from '../../store/durableContextStore.ts';
import type { BannerView } from '../../protocol/chatFromHost.ts';
import type { StorageAccess } from '../../store/durable/storageErrors.ts';
import type { AnswerQuestion } from '../../store/windows/guestQuestions.ts';
import type { Banners } from '../ui/banners.ts';
import { logFailure } from '../ui/failures.ts';
import type { reportRecovery } from './reportRecovery.ts';

export interface StorageOptions {
  readonly host: Host;
  readonly folder: vscode.Uri;
  /** Folders that earlier versions used for further windows of this workspace. */
  readonly others: readonly vscode.Uri[];
  /** No folder is open: all windows without one share these conversations. */
  readonly isShared: boolean;
  readonly banners: Banners;
  readonly log: vscode.LogOutputChannel;
  /** Another window made an unannounced change, or this one became the writer: anything may be different. */
  readonly onDidRefresh: () => void;
  /** Asks the user what programs without a window request. */
  readonly onAsk: AnswerQuestion;
  /** Damage is rare. */
  readonly loadRecovery: () => Promise<{ readonly reportRecovery: typeof reportRecovery }>;
}

function noFolderBanner(): BannerView {
  return {
    id: 'no-folder',
    severity: 'info',
    title: vscode.l10n.t('No folder open'),
    text: vscode.l10n.t('No folder open. Chats are shared across empty windows.'),
  };
}

/** Nothing is read before the first conversation is requested. */
export function openStorage({
  host,
  folder,
  others,
  isShared,
  banners,
  log,
  onDidRefresh,
  onAsk,
  loadRecovery,
}: StorageOptions): DurableContextStore {
  if (isShared) banners.show(noFolderBanner());
  log.info(`Conversations are kept in ${folder.toString()}`);
  return new DurableContextStore({
    folder: host.pathOf(folder.toString()),
    hasOwnFolder: true,
    platform: host,
    // VS Code gives extensions about five seconds to end; what is not in the database file by then is in its journal.
    closeWithinMs: 3_000,
    ...(others.length > 0 ? { adoptFrom: others.map((each) => host.pathOf(each.toString())) } : {}),
    onDidAdopt: (chats) => log.info(`${chats} chats of other windows of this workspace were added`),
    onRecovery: (report) => {
      loadRecovery().then(
        (loaded) => loaded.reportRecovery(report, host, banners, log),
        (error: unknown) => logFailure(log, 'Storage', error),
      );
    },
    onError: (error) => logFailure(log, 'Storage', error),
    onDidChangeAccess: (access) => reportAccess(access, banners),
    onDidRefresh,
    onAsk,
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
        id,
        severity: 'warning',
        title: vscode.l10n.t('Read-only'),
        limit: {},
        text: vscode.l10n.t(
          'Another window is writing to these conversations and can’t be reached, so this one is read-only. Close the other window, or update Offshoot in it.',
        ),
      });
      return;
    case 'newer-version':
      banners.show({
        id,
        severity: 'warning',
        title: vscode.l10n.t('Read-only'),
        limit: { action: 'checkForUpdates' },
        text: vscode.l10n.t(
          'These conversations were written by a newer version of Offshoot, so they are only shown. Update Offshoot to continue them.',
        ),
      });
      return;
    case 'not-writable':
      banners.show({
        id,
        severity: 'warning',
        title: vscode.l10n.t('Read-only'),
        limit: { action: 'showLog' },
        text: vscode.l10n.t(
          'These conversations cannot be written to, so they are only shown: {0}. This is tried again all the time.',
          access.reason,
        ),
      });
  }
}
