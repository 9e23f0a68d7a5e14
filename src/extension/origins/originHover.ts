import * as vscode from 'vscode';
import type { StepDetails } from '../../lineOrigins/stepDetails.ts';
import { LOCAL_USER } from '../../engine/users.ts';
import { commandLink } from '../manifest/runCommand.ts';
import { timeAgo } from '../ui/formats.ts';
import { oneLine } from '../ui/shownName.ts';
import { linkedTooltip } from '../ui/linkedTooltip.ts';
import type { WrittenLine } from './documentOrigins.ts';

/** What can be done from a line. */
export const originActions = ['showMessage', 'showReplaced', 'otherAttempts', 'rewindBefore'] as const;
export type OriginAction = (typeof originActions)[number];

/** How much of a question is shown, in characters. */
const QUESTION_LENGTH = 200;

export function questionText({ question, chatTitle }: StepDetails, limit = QUESTION_LENGTH): string {
  const text = oneLine(question?.text ?? '', limit);
  return text === '' ? oneLine(chatTitle ?? vscode.l10n.t('A question without text'), limit) : text;
}

/** Step, model, time, of whom, where a chat may be another person's, and what is known of the line since. */
export function stepText(
  { step, model, at, userId, importedFrom }: StepDetails,
  { isChangedSince, isImported }: Partial<Pick<WrittenLine, 'isChangedSince' | 'isImported'>> = {},
): string {
  return [
    vscode.l10n.t('Step {0}', step),
    ...(model === undefined ? [] : [oneLine(model, 60)]),
    timeAgo(at),
    ...(userId === LOCAL_USER ? [] : [oneLine(userId, 60)]),
    ...(isChangedSince === true ? [vscode.l10n.t('changed since')] : []),
    ...(isImported === true ? [importedText(importedFrom)] : []),
  ].join(' · ');
}

function importedText(program: string | undefined): string {
  return program === undefined ? vscode.l10n.t('imported') : vscode.l10n.t('imported from {0}', program);
}

/** What is shown over a line. */
export function originHover(
  uri: vscode.Uri,
  written: WrittenLine,
  details: StepDetails,
): vscode.MarkdownString {
  const link = (action: OriginAction, title: string): vscode.Command =>
    commandLink('offshoot.whyThisLine', title, { uri: uri.toString(), line: written.line, action });
  return linkedTooltip(
    `“${questionText(details)}”`,
    [stepText(details, written)],
    [
      link('showMessage', vscode.l10n.t('Show Message')),
      // The rest needs versions of the file.
      ...(written.isImported
        ? []
        : [
            link('showReplaced', vscode.l10n.t('Show What It Replaced')),
            link('otherAttempts', vscode.l10n.t('Other Attempts')),
            link('rewindBefore', vscode.l10n.t('Rewind to Before This')),
          ]),
    ],
  );
}
