import * as vscode from 'vscode';

/** A number of messages in words. */
export function messagesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', count);
}
