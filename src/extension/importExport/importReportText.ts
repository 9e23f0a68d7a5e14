import * as vscode from 'vscode';
import type { ImportOutcome } from '../../conversation/imports.ts';
import type { Unread } from '../../importExport/importBatch.ts';
import type { LeftOut } from '../../importExport/importReport.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { messageOf, translated } from '../ui/failures.ts';
import { numberText } from '../ui/formats.ts';
import { oneLine } from '../ui/shownName.ts';

export function outcomeText({ created, extended, unchanged, failed, isStopped }: ImportOutcome): string {
  const count = created.length + extended.length + unchanged.length;
  const parts = [
    ...(created.length > 0 ? [vscode.l10n.t('{0} imported', numberText(created.length))] : []),
    ...(extended.length > 0 ? [vscode.l10n.t('{0} brought up to date', numberText(extended.length))] : []),
    ...(unchanged.length > 0 ? [vscode.l10n.t('{0} already up to date', numberText(unchanged.length))] : []),
    ...(failed.length > 0 ? [vscode.l10n.t('{0} failed', numberText(failed.length))] : []),
  ];
  const summary =
    count + failed.length === 0 ? vscode.l10n.t('Nothing was imported.') : `${parts.join(', ')}.`;
  return isStopped ? `${summary} ${vscode.l10n.t('Import stopped. Import again to continue.')}` : summary;
}

export function hasDetails({ failed, leftOut }: ImportOutcome, unread: readonly Unread[]): boolean {
  return failed.length > 0 || unread.length > 0 || leftOut.all().length > 0;
}

/** @param titles of imported chats, by their ids */
export function reportDocument(
  outcome: ImportOutcome,
  unread: readonly Unread[],
  titles: ReadonlyMap<string, string>,
): string {
  const { created, extended, unchanged, failed, leftOut } = outcome;
  const titled = (chatId: string): string => named(titles.get(chatId) ?? vscode.l10n.t('New chat'));
  const sections = [
    section(vscode.l10n.t('Imported'), created.map(titled)),
    section(
      vscode.l10n.t('Brought up to date'),
      extended.map(({ chatId, messages }) =>
        vscode.l10n.t('{0}: {1} new messages', titled(chatId), numberText(messages)),
      ),
    ),
    section(vscode.l10n.t('Already up to date'), unchanged.map(titled)),
    section(vscode.l10n.t('Left out or changed'), leftOut.allWithBookkeeping().map(leftOutText)),
    section(vscode.l10n.t('Not imported'), [
      ...failed.map(({ title, error }) => because(title ?? vscode.l10n.t('New chat'), error)),
      ...unread.map(({ name, error }) => because(name, error)),
    ]),
  ];
  return `${[outcomeText(outcome), ...sections.flat()].join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}\n${'─'.repeat(title.length)}\n${lines.join('\n')}`];
}

function leftOutText({ what, count, places }: LeftOut): string {
  const text = `${translated(what)}: ${numberText(count)}`;
  if (places.length === 0) return text;
  return `${text} (${named(places.join(', '))}${count > places.length ? ', …' : ''})`;
}

function because(name: string, error: unknown): string {
  return `${named(name)}: ${named(messageOf(error))}`;
}

function named(text: string): string {
  return withHiddenSpelledOut(oneLine(text, 300));
}
