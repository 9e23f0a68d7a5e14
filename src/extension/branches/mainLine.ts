import * as vscode from 'vscode';

/** The label of the branch that a chat begins with, until a user names it. */
export function mainLine(): string {
  return vscode.l10n.t('Main line');
}
