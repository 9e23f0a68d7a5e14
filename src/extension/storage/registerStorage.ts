import type { CommandPart } from '../commands/commandHandlers.ts';
import * as vscode from 'vscode';
import { logFailure, messageOf } from '../ui/failures.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import { notifyRecoveredRestore, notifyRecoveredWrite } from '../files/restoreNotifications.ts';
import { notify } from '../ui/notifications.ts';
import { setContext } from '../manifest/runCommand.ts';
import type { RemovedStores } from './removedStores.ts';
import type { RelatedChats } from './relatedChats.ts';
import type { SharedWorkplace } from './openShared.ts';
import { NOT_OPENED, notOpenedTitle, type Banners } from '../ui/banners.ts';
import type { ChangedFiles } from '../files/changedFiles.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import type { Runs } from '../../agent/run/runs.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export function registerStorage(
  deps: Parameters<typeof registerStorageStartup>[0] & Parameters<typeof registerHousekeeping>[0],
  careForOwnFiles: () => Promise<void>,
): CommandPart<'openStorageAgain'> {
  const startup = registerStorageStartup(deps);
  const housekeeping = registerHousekeeping(deps, careForOwnFiles);
  return {
    handlers: startup.handlers,
    dispose: () => {
      housekeeping.dispose();
      startup.dispose();
    },
  };
}

/** Not while a window is still opening. */
const FIRST_MS = 60_000;
const EVERY_MS = 24 * 60 * 60 * 1_000;

/**
 * Once a day, deletes what has been in the trash for 30 days, whole stores included, and bytes without references; and
 * looks after files of branches, if there are some.
 */
function registerHousekeeping(
  {
    conversations,
    globalStorage,
    host,
    log,
    ownFiles,
  }: {
    readonly conversations: Conversations;
    readonly globalStorage: vscode.Uri;
    readonly host: ConstructorParameters<typeof RemovedStores>[0];
    readonly log: vscode.LogOutputChannel;
    readonly ownFiles: Pick<OwnFiles, 'known'>;
  },
  careForOwnFiles: () => Promise<void>,
): vscode.Disposable {
  const tidy = async (): Promise<void> => {
    const { RemovedStores } = await import('./removedStores.ts');
    await new RemovedStores(host, globalStorage).tidy();
    // Only in the window that writes.
    const tidied = await conversations.tidyTrash(Date.now());
    const { entries, blobs } = tidied ?? { entries: 0, blobs: { count: 0 } };
    if (entries + blobs.count > 0) {
      log.info(`Deleted ${entries} items after 30 days in the trash, and ${blobs.count} unused files`);
    }
    if (await ownFiles.known()) await careForOwnFiles();
  };
  const start = (): void => {
    tidy().catch((error: unknown) => logFailure(log, 'Housekeeping', error));
  };
  const first = setTimeout(start, FIRST_MS);
  const every = setInterval(start, EVERY_MS);
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(first) },
    { dispose: () => clearInterval(every) },
  );
}

/** After opening, and each time another window wrote, turns answers that a crash cut off into interrupted answers. */
function registerStorageStartup({
  runs,
  log,
  store,
  folder,
  banners,
  files,
  onDidRefresh,
  refresh,
  related,
  workplace,
}: {
  readonly banners: Banners;
  readonly files: ChangedFiles;
  readonly folder: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly onDidRefresh: vscode.Event<void>;
  readonly refresh: () => void;
  readonly related: Pick<RelatedChats, 'start' | 'used'>;
  readonly runs: Runs;
  readonly store: ReadonlyStore;
  /** Left out if the conversations are on this machine. */
  readonly workplace: SharedWorkplace | undefined;
}): CommandPart<'openStorageAgain'> {
  let hasFailed = false;
  /** Views show it in place of conversations. */
  const failed = async (value: boolean): Promise<void> => {
    if (hasFailed === value) return;
    hasFailed = value;
    await setContext('offshoot.hasStorageFailed', value);
    // What could not be read before can be read now.
    if (!value) refresh();
  };
  let hasRecovered = false;
  const open = async (isAsked = false): Promise<void> => {
    try {
      const unsaved = await runs.saveAllAgain();
      if (unsaved > 0) log.info(`${unsaved} answers have been saved that could not be before`);
      // In a shared store, answers of other users may look abandoned right after its server has restarted.
      const count = workplace && hasRecovered ? 0 : await runs.recover();
      hasRecovered = !store.isReadOnly;
      if (count > 0) log.info(`${count} answers that were cut off have been recovered`);
      banners.hide(NOT_OPENED);
      await failed(false);
    } catch (error) {
      logFailure(log, 'The conversations could not be opened', error);
      await failed(true);
      await (workplace ? workplace.notOpened(error, isAsked, banners) : reportFailure(error));
      return;
    }
    void related.start();
    await recoverWrites();
    if (!store.isReadOnly && store.isWriter) await recoverFiles();
  };
  /** Whatever window comes first: each write is taken back by one of them, before a restore it was part of. */
  const recoverWrites = async (): Promise<void> => {
    try {
      for (const write of await files.restorer.recoverWrites()) notifyRecoveredWrite(write);
    } catch (error) {
      logFailure(log, 'A write of a file that was cut off could not be taken back', error);
      void notify.error(messageOf(error));
    }
  };
  /** Only the writer completes a restore that was cut off: another window may be in the middle of one. */
  const recoverFiles = async (): Promise<void> => {
    try {
      const recovered = await files.restorer.recover();
      if (recovered) notifyRecoveredRestore(recovered);
    } catch (error) {
      logFailure(log, 'A restore of files that was cut off could not be taken back', error);
      void notify.error(messageOf(error));
    }
  };
  const reportFailure = async (error: unknown): Promise<void> => {
    const text = vscode.l10n.t('The conversations in {0} cannot be opened.', folder.fsPath);
    banners.show({
      id: NOT_OPENED,
      severity: 'error',
      title: notOpenedTitle(),
      text: `${text} ${messageOf(error)}`,
    });
    const again = vscode.l10n.t('Try Again');
    const showLog = vscode.l10n.t('Show Log');
    const answer = await notify.error(`${text} ${messageOf(error)}`, again, showLog);
    if (answer === again) await open();
    else if (answer === showLog) log.show();
  };
  const openAgain = async (): Promise<void> => {
    await workplace?.store.reconnect();
    await open(true);
  };
  // Not during activation, which must not wait for the disk.
  const timer = setTimeout(() => void open(), 0);
  const subscription = vscode.Disposable.from(
    onDidRefresh(() => void open()),
    store.onDidChange(() => void related.used()),
  );
  return {
    handlers: { openStorageAgain: openAgain },
    dispose: () => {
      subscription.dispose();
      clearTimeout(timer);
    },
  };
}
