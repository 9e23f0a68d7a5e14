import * as vscode from 'vscode';
import { chatMode, type ChatMode } from '../../agent/chatMode.ts';

const KEY = 'offshoot.mode';

/** The selected mode: what models may do in this workspace. It survives a reload. */
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
