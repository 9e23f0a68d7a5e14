import * as vscode from 'vscode';
import type { Banners } from '../ui/banners.ts';

const ID = 'restricted';

/** Shows in the chat what is disabled while the workspace is not trusted. */
export function showRestrictedMode(banners: Banners): vscode.Disposable {
  if (vscode.workspace.isTrusted) return new vscode.Disposable(() => undefined);
  banners.show({
    id: ID,
    severity: 'info',
    text: vscode.l10n.t('Restricted Mode: tools, edits, prompt files, and instructions from files are off.'),
    limit: { action: 'manageTrust' },
  });
  return vscode.workspace.onDidGrantWorkspaceTrust(() => banners.hide(ID));
}
