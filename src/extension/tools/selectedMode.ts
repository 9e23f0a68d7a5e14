import * as vscode from 'vscode';
import { chatMode, type ChatMode } from '../../agent/run/chatMode.ts';

const KEY = 'offshoot.mode';

/** Per workspace; survives a reload. */
export class SelectedMode implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(private readonly state: vscode.Memento) {}

  get current(): ChatMode {
    return chatMode.catch('agent').parse(this.state.get(KEY));
  }

  async select(mode: ChatMode): Promise<void> {
    if (mode === this.current) return;
    await this.state.update(KEY, mode === 'agent' ? undefined : mode);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

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
