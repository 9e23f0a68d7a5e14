import * as vscode from 'vscode';

/** The page's texts in the user's language; in English there are none, the keys are the texts. */
export function pageTexts(): Record<string, string> {
  return { ...vscode.l10n.bundle };
}
