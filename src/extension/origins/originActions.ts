import * as vscode from 'vscode';
import type { ToldLine } from '../../lineOrigins/otherAttempts.ts';
import type { RecordedEdit } from '../../lineOrigins/recordedFiles.ts';
import type { StepPlace } from '../../lineOrigins/stepDetails.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import type { MoveContext } from '../branches/switchToBranch.ts';
import { uriOf } from '../files/openEditors.ts';
import { shownLocation } from '../files/openFolders.ts';
import { trueName } from '../files/trueName.ts';
import { versionUri } from '../files/versionUris.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { previewResult } from '../tree/previewResult.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { openComparison } from '../ui/tabs.ts';
import type { DocumentOrigins } from './documentOrigins.ts';
import { questionText, stepText, type OriginAction } from './originHover.ts';

/** How much of a question names a step, in characters. */
const NAME_LENGTH = 60;

/** Does what was chosen for a line that a run wrote. */
export async function actOnOrigin(
  deps: MoveContext,
  chat: ShownChat,
  origins: DocumentOrigins,
  told: ToldLine,
  action: OriginAction,
): Promise<void> {
  const { edit } = told.origin;
  switch (action) {
    case 'showMessage':
      return previewResult(deps, chat, edit.chatId, edit.messageId);
    case 'showReplaced':
      return showReplaced(origins, edit);
    case 'otherAttempts':
      return showAttempts(origins, told);
    case 'rewindBefore':
      return rewindBefore(deps, edit);
  }
}

/** Asks what to show of a line. */
export async function pickAction(
  origins: DocumentOrigins,
  told: ToldLine,
): Promise<OriginAction | undefined> {
  const { edit } = told.origin;
  const details = await origins.details(edit);
  const rows: (PickRow & { readonly action: OriginAction })[] = [
    { icon: 'comment-discussion', label: vscode.l10n.t('Show Message'), action: 'showMessage' },
    { icon: 'diff', label: vscode.l10n.t('Show What It Replaced'), action: 'showReplaced' },
    { icon: 'git-branch', label: vscode.l10n.t('Other Attempts'), action: 'otherAttempts' },
    { icon: 'discard', label: vscode.l10n.t('Rewind to Before This'), action: 'rewindBefore' },
  ];
  const picked = await pickOne(rows, {
    title: details ? `“${questionText(details, NAME_LENGTH)}”` : vscode.l10n.t('Why This Line?'),
    ...(details ? { placeHolder: stepText(details, told.origin) } : {}),
  });
  return picked?.action;
}

/** Asks which of the messages to show that another program wrote a line in. */
export async function pickImported(
  origins: DocumentOrigins,
  steps: readonly StepPlace[],
): Promise<StepPlace | undefined> {
  const rows = await Promise.all(
    steps.map(async (step) => {
      const details = await origins.details(step);
      return {
        icon: 'comment-discussion',
        label: details ? questionText(details, NAME_LENGTH) : vscode.l10n.t('A deleted message'),
        ...(details ? { description: stepText(details, { isImported: true }) } : {}),
        step,
      };
    }),
  );
  const picked = await pickOne(rows, {
    title: vscode.l10n.t('Why This Line?'),
    placeHolder: vscode.l10n.t(
      'The session of another program tells who wrote this. Select a message to show it',
    ),
  });
  return picked?.step;
}

async function showReplaced(origins: DocumentOrigins, edit: RecordedEdit): Promise<void> {
  const { location, before, after } = edit;
  const file = uriOf(location);
  if (before?.isKept === false || after?.isKept === false) {
    void notify.information(vscode.l10n.t('The file was too large for its versions to be kept.'));
    return;
  }
  const details = await origins.details(edit);
  const name = trueName(shownLocation(location));
  await openComparison(
    versionUri(location.path, before, file),
    versionUri(location.path, after, file),
    details ? `${name} (“${questionText(details, NAME_LENGTH)}”)` : name,
    { preview: true },
  );
}

async function showAttempts(origins: DocumentOrigins, told: ToldLine): Promise<void> {
  const attempts = await origins.otherAttempts(told);
  if (attempts.length === 0) {
    void notify.information(vscode.l10n.t('No other branch changed these lines.'));
    return;
  }
  const rows = await Promise.all(
    attempts.map(async (edit) => {
      const details = await origins.details(edit);
      return {
        icon: 'git-branch',
        label: details ? questionText(details, NAME_LENGTH) : vscode.l10n.t('A deleted message'),
        ...(details ? { description: details.branch ?? '', detail: stepText(details) } : {}),
        edit,
      };
    }),
  );
  const picked = await pickOne(rows, {
    title: vscode.l10n.t('Other Attempts'),
    placeHolder: vscode.l10n.t('Select an attempt to see what it changed'),
    matchOnDescription: true,
  });
  if (picked) await showReplaced(origins, picked.edit);
}

/** To the message before the step, with its files as they were. */
async function rewindBefore(
  { current, store }: MoveContext,
  { chatId, messageId }: RecordedEdit,
): Promise<void> {
  const parentId = (await store.getParentIds(chatId, [messageId])).get(messageId);
  if (typeof parentId !== 'string') {
    void notify.information(vscode.l10n.t('Nothing comes before this message.'));
    return;
  }
  await current.open(chatId);
  await runCommand('offshoot.rewindToHere', { messageId: parentId });
}
