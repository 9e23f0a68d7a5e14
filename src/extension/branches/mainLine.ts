import * as vscode from 'vscode';

/** What the branch is called that a chat begins with, until somebody names it. */
export function mainLine(): string {
  return vscode.l10n.t('Main line');
}
