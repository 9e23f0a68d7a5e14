import * as vscode from 'vscode';
import type { ProtectionReason } from '../../host/protectedFiles.ts';

/** Its mode, or a setting of the editor. */
export function readOnlyText(): string {
  return vscode.l10n.t('This file is read-only.');
}

/** Why a change of a file is more critical than others, as a sentence. */
export function protectionText(reason: ProtectionReason): string {
  switch (reason) {
    case 'runs-programs':
      return vscode.l10n.t('This file can run programs on your computer.');
    case 'instructs-agents':
      return vscode.l10n.t('Agents follow this file, also in later chats.');
    case 'credentials':
      return vscode.l10n.t('This file can hold or grant access to accounts and computers.');
    case 'editor-settings':
      return vscode.l10n.t('This file can change how editors work, including the programs they run.');
    case 'repository':
      return vscode.l10n.t('This file can change what version control does, including the programs it runs.');
  }
}
