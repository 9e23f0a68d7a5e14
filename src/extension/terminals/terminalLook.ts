import * as vscode from 'vscode';

interface TerminalLook {
  readonly name: string;
  readonly iconPath: vscode.ThemeIcon;
  readonly isTransient: boolean;
}

/** How the agent's terminals look. */
export function terminalLook(): TerminalLook {
  return {
    name: vscode.l10n.t('Offshoot Agent'),
    iconPath: new vscode.ThemeIcon('terminal'),
    isTransient: true,
  };
}
