import * as vscode from 'vscode';
import type { ChatSharing } from '../../postgres/sharedStore.ts';
import { shownName } from '../ui/shownName.ts';

/** How a chat is shared, and who else is in it now. */
export interface ChatPresence extends ChatSharing {
  readonly isOwn: boolean;
  readonly others: readonly string[];
}

/** The owner of a chat, how it is shared, and who else is in it. */
export function sharingTexts(sharing: ChatPresence): string[] {
  const { isOwn, owner, access, canWrite, others } = sharing;
  return [
    ...(isOwn ? [] : [shownName(owner)]),
    ...(isOwn && access !== 'private'
      ? [access === 'read' ? vscode.l10n.t('shared to read') : vscode.l10n.t('shared to write')]
      : []),
    ...(canWrite ? [] : [vscode.l10n.t('read-only')]),
    ...hereTexts(others),
  ];
}

/** The same in whole sentences, for a tooltip. */
export function sharingLines(sharing: ChatPresence): string[] {
  const { isOwn, owner, access, others } = sharing;
  const name = shownName(owner);
  const how = {
    private: isOwn ? vscode.l10n.t('Private: only you see it') : '',
    read: isOwn ? vscode.l10n.t('Others can read it') : vscode.l10n.t('{0} shares it to read', name),
    write: isOwn
      ? vscode.l10n.t('Others can read and continue it')
      : vscode.l10n.t('{0} shares it to write', name),
  }[access];
  return [how, ...hereLines(others)];
}

/** Names all users who are there, for a tooltip. */
export function hereLines(others: readonly string[]): string[] {
  if (others.length === 0) return [];
  return [vscode.l10n.t('Here now: {0}', others.map((name) => shownName(name)).join(', '))];
}

/** Names the users who are there. */
export function hereTexts(others: readonly string[]): string[] {
  const [first, ...more] = others.map((name) => shownName(name));
  if (first === undefined) return [];
  if (more.length === 0) return [vscode.l10n.t('{0} is here', first)];
  return [vscode.l10n.t('{0} and {1} more are here', first, more.length)];
}
