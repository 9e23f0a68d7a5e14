import * as vscode from 'vscode';
import type { BannerView } from '../../protocol/chatFromHost.ts';

/** The id of the banner that explains why the conversations could not be opened. */
export const NOT_OPENED = 'storage';

/** What that banner is about. */
export function notOpenedTitle(): string {
  return vscode.l10n.t('Conversations not opened');
}

/** What the user should know for as long as it applies. */
export class Banners implements vscode.Disposable {
  private readonly banners = new Map<string, BannerView>();
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changed.event;

  show(banner: BannerView): void {
    this.banners.set(banner.id, banner);
    this.changed.fire();
  }

  hide(id: string): void {
    if (this.banners.delete(id)) this.changed.fire();
  }

  all(): BannerView[] {
    return [...this.banners.values()];
  }

  dispose(): void {
    this.changed.dispose();
  }
}

const ID = 'restricted';

export function showRestrictedMode(banners: Banners): vscode.Disposable {
  if (vscode.workspace.isTrusted) return new vscode.Disposable(() => undefined);
  banners.show({
    id: ID,
    severity: 'info',
    title: vscode.l10n.t('Restricted Mode'),
    text: vscode.l10n.t(
      'Restricted Mode: tools, edits, and the project’s instructions, prompts, skills, agents, and hooks are off.',
    ),
    limit: { action: 'manageTrust' },
  });
  return vscode.workspace.onDidGrantWorkspaceTrust(() => banners.hide(ID));
}
