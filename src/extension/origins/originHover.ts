import * as vscode from 'vscode';
import type { LineOrigin } from '../../lineOrigins/lineOrigin.ts';
import type { StepDetails } from '../../lineOrigins/stepDetails.ts';
import { LOCAL_USER } from '../../engine/users.ts';
import { commandLink } from '../manifest/runCommand.ts';
import { timeAgo } from '../ui/formats.ts';
import { oneLine } from '../ui/shownName.ts';
import { linkedTooltip } from '../ui/linkedTooltip.ts';

/** What can be done from a line. */
export const originActions = ['showMessage', 'showReplaced', 'otherAttempts', 'rewindBefore'] as const;
export type OriginAction = (typeof originActions)[number];

/** How much of a question is shown, in characters. */
const QUESTION_LENGTH = 200;

export function questionText({ question, chatTitle }: StepDetails, limit = QUESTION_LENGTH): string {
  const text = oneLine(question?.text ?? '', limit);
  return text === '' ? oneLine(chatTitle ?? vscode.l10n.t('A question without text'), limit) : text;
}

/** Step, model, time, and of whom, where a chat may be another person's. */
export function stepText({ step, model, at, userId }: StepDetails, isChangedSince = false): string {
  return [
    vscode.l10n.t('Step {0}', step),
    ...(model === undefined ? [] : [oneLine(model, 60)]),
    timeAgo(at),
    ...(userId === LOCAL_USER ? [] : [oneLine(userId, 60)]),
    ...(isChangedSince ? [vscode.l10n.t('changed since')] : []),
  ].join(' · ');
}

/** What is shown over a line. */
export function originHover(
  at: { readonly uri: vscode.Uri; readonly line: number },
  origin: LineOrigin,
  details: StepDetails,
): vscode.MarkdownString {
  const link = (action: OriginAction, title: string): vscode.Command =>
    commandLink('offshoot.whyThisLine', title, { uri: at.uri.toString(), line: at.line, action });
  return linkedTooltip(
    `“${questionText(details)}”`,
    [stepText(details, origin.isChangedSince)],
    [
      link('showMessage', vscode.l10n.t('Show Message')),
      link('showReplaced', vscode.l10n.t('Show What It Replaced')),
      link('otherAttempts', vscode.l10n.t('Other Attempts')),
      link('rewindBefore', vscode.l10n.t('Rewind to Before This')),
    ],
  );
}
