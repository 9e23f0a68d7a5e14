import * as vscode from 'vscode';
import { logFailure, messageOf } from '../ui/failures.ts';
import { sentences } from '../ui/formats.ts';
import type { Moved } from './fileMoves.ts';
import { notify } from '../ui/notifications.ts';
import { showStatus } from '../ui/statusBar.ts';
import type { Move } from '../../conversation/move.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { GraphHistory } from '../../conversation/graphHistory.ts';
import type { Runs } from '../../agent/run/runs.ts';
import type { RecoveredRestore } from '../../files/restorer.ts';
import type { RecoveredWrite } from '../../host/workspaceFiles.ts';

export interface UndoContext {
  readonly conversations: Conversations;
  readonly history: GraphHistory;
  readonly log: vscode.LogOutputChannel;
  readonly runs: Runs;
}

/** How long the status bar shows what was done, in milliseconds. */
const SHOWN_MS = 6_000;

interface Offer {
  readonly label: string;
  readonly accept: () => Promise<void>;
}

/**
 * Also offers to stop an answer that is still running on the earlier path. Callers do not wait for the user. What the
 * chat itself shows needs no notification: the status bar says what it was.
 */
export function notifyWithUndo(deps: UndoContext, moved: Moved, whatWasDone: string): void {
  const isSeen = moved.restored === undefined && moved.leftAlone === 0 && !stopOffer(deps, moved);
  if (isSeen && moved.move) {
    if (hasLeft(moved.move)) showStatus(whatWasDone, SHOWN_MS);
    return;
  }
  const ask = async (): Promise<void> => {
    const offers = [await undoOffer(deps, moved), stopOffer(deps, moved)].flatMap((offer) => offer ?? []);
    const text = sentences(...whatToSay(deps, moved, whatWasDone));
    const answer = await notify.information(text, ...offers.map(({ label }) => label));
    try {
      await offers.find(({ label }) => label === answer)?.accept();
    } catch (error) {
      logFailure(deps.log, 'Going back', error);
      await notify.error(messageOf(error));
    }
  };
  ask().catch((error: unknown) => logFailure(deps.log, 'Notification', error));
}

function whatToSay(deps: UndoContext, { move, restored, leftAlone }: Moved, whatWasDone: string): string[] {
  return [
    ...(move ? [whatWasDone] : []),
    ...(restored ? [restoredText(restored.count)] : []),
    ...(leftAlone > 0 ? [leftAloneText(leftAlone)] : []),
    ...(move && hasLeft(move) ? [vscode.l10n.t('Previous conversation kept.')] : []),
    ...(move && hasLeft(move) && deps.runs.get(move.chatId, move.from)
      ? [vscode.l10n.t('Its answer continues there and may change files.')]
      : []),
  ];
}

/** A step may end on the branch where it began. */
function hasLeft({ from, to }: Move): boolean {
  return from !== to.name;
}

function restoredText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file restored.') : vscode.l10n.t('{0} files restored.', count);
}

function leftAloneText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file skipped.') : vscode.l10n.t('{0} files skipped.', count);
}

/** The step of the log, as Undo anywhere else. */
async function undoOffer({ history }: UndoContext, { move, restored }: Moved): Promise<Offer | undefined> {
  const chatId = move?.chatId ?? restored?.chatId;
  if (chatId === undefined) return undefined;
  const step = (await history.steps('undo', chatId)).find(({ kind, branch, from }) =>
    move ? from === move.from && branch === move.to.name : kind === 'files-restored',
  );
  if (!step) return undefined;
  return {
    label: vscode.l10n.t('Undo'),
    accept: async () => {
      const undone = await history.take('undo', { chatId, sequence: step.sequence });
      if (!undone) await notify.information(vscode.l10n.t('This was undone already.'));
      else notifySkipped(undone.skipped);
    },
  };
}

/** Files that others changed since a step that was undone or redone. */
export function notifySkipped(paths: readonly string[]): void {
  if (paths.length === 0) return;
  void notify.warning(vscode.l10n.t('Skipped, because changed since: {0}', paths.join(', ')));
}

function stopOffer({ runs }: UndoContext, { move }: Moved): Offer | undefined {
  if (!move || !hasLeft(move) || !runs.get(move.chatId, move.from)) return undefined;
  return { label: vscode.l10n.t('Stop the Answer'), accept: () => runs.stop(move.chatId, move.from) };
}

export function notifyRecoveredWrite({ path, outcome, kept }: RecoveredWrite): void {
  const places = kept.join(vscode.l10n.t(', '));
  switch (outcome) {
    case 'undone':
      void notify.warning(
        vscode.l10n.t(
          'A change of {0} was cut off. The file is as it was before. What was to be in it is kept for 30 days: {1}',
          path,
          places,
        ),
      );
      return;
    case 'written':
      void notify.warning(
        vscode.l10n.t(
          'A change of {0} was cut off when all of it was written, and stays. What was in the file before is kept for 30 days: {1}',
          path,
          places,
        ),
      );
      return;
    case 'apart':
      void notify.warning(
        vscode.l10n.t(
          'A change of {0} was cut off, and the file is neither as it was nor as it was to be. It stays as it is; both are kept for 30 days: {1}',
          path,
          places,
        ),
      );
      return;
    case 'damaged':
      void notify.warning(
        vscode.l10n.t('A change of a file was cut off, and its record cannot be read: {0}', places),
      );
  }
}

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
