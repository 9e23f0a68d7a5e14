import * as vscode from 'vscode';
import type { ProtectionReason } from '../../host/protectedFiles.ts';

/** Its mode, or a setting of the editor. */
export function readOnlyText(): string {
  return vscode.l10n.t('File is read-only.');
}

/** Why a change of a file is more critical than others, in at most four words. */
export function protectionText(reason: ProtectionReason): string {
  switch (reason) {
    case 'runs-programs':
      return vscode.l10n.t('Can run programs.');
    case 'instructs-agents':
      return vscode.l10n.t('Agents follow it.');
    case 'credentials':
      return vscode.l10n.t('Can grant access.');
    case 'editor-settings':
      return vscode.l10n.t('Changes how editors work.');
    case 'repository':
      return vscode.l10n.t('Changes version control.');
  }
}
