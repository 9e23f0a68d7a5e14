import * as vscode from 'vscode';

/** A number of messages in words. */
export function messagesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', count);
}

/** A number of chats, branches and checkpoints together in words. */
export function thingsText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 thing') : vscode.l10n.t('{0} things', count);
}
