import * as vscode from 'vscode';
import type { ChatMode } from '../../agent/chatMode.ts';

/** The label of a mode, and what it lets models do. */
export function modeText(mode: ChatMode): { readonly label: string; readonly description: string } {
  switch (mode) {
    case 'agent':
      return {
        label: vscode.l10n.t('Agent'),
        description: vscode.l10n.t('Reads and changes files and runs commands, and asks first'),
      };
    case 'plan':
      return {
        label: vscode.l10n.t('Plan'),
        description: vscode.l10n.t('Only reads, and ends with a plan that you can edit and have carried out'),
      };
    case 'ask':
      return { label: vscode.l10n.t('Ask'), description: vscode.l10n.t('Only reads, and answers') };
  }
}
