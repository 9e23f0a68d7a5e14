import * as vscode from 'vscode';
import type { CommandPreview } from '../../agent/tools/approvals.ts';

/** Why the user is asked about a command although a similar one may have been allowed. */
export function commandReason({ eachTime, haveScriptsChanged }: CommandPreview): string | undefined {
  if (haveScriptsChanged === true) {
    return vscode.l10n.t('You allowed it, but the agent has edited what it runs.');
  }
  switch (eachTime) {
    case undefined:
      return undefined;
    case 'not-plain':
      return vscode.l10n.t('It is more than programs with arguments, and is asked about each time.');
    case 'runs-others':
      return vscode.l10n.t(
        'It runs programs that its arguments or files name, and is asked about each time.',
      );
    case 'fetched-and-piped':
      return vscode.l10n.t(
        'It passes on what it downloads to another program, and is asked about each time.',
      );
    case 'writes-protected':
      return vscode.l10n.t(
        'It writes a protected file or one outside of the folder, and is asked about each time.',
      );
    case 'other-shell':
      return vscode.l10n.t('In this shell, commands are asked about each time.');
  }
}
