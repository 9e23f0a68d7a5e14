import * as vscode from 'vscode';
import type { NoSandboxReason } from '../../host/sandbox.ts';
import { chatMode, type ChatMode } from '../../agent/run/chatMode.ts';
import type { CommandSandbox } from './commandSandbox.ts';

const KEY = 'offshoot.mode';
const AGENT = 'offshoot.agent';

/** Per workspace; survives a reload. */
export class SelectedMode implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly state: vscode.Memento,
    private readonly sandbox: Pick<CommandSandbox, 'isUnasked' | 'setUnasked' | 'whyNone'>,
  ) {}

  get current(): ChatMode {
    return chatMode.catch('agent').parse(this.state.get(KEY));
  }

  /** Whether commands are run in the sandbox without asking, where there is one. */
  get isUnasked(): boolean {
    return this.sandbox.isUnasked();
  }

  async setUnasked(isUnasked: boolean): Promise<void> {
    await this.sandbox.setUnasked(isUnasked);
    this.changed.fire();
  }

  /** Why commands can be run in no sandbox here; undefined where they can. */
  whyNoSandbox(): Promise<NoSandboxReason | undefined> {
    return this.sandbox.whyNone();
  }

  /** The name of a custom agent, which works in Agent mode; undefined: one of the modes alone. */
  get agent(): string | undefined {
    const name = this.state.get(AGENT);
    // Its file is not read in Restricted Mode, where nothing can be changed anyway.
    return typeof name === 'string' && vscode.workspace.isTrusted ? name : undefined;
  }

  async select(mode: ChatMode, agent?: string): Promise<void> {
    if (mode === this.current && agent === this.state.get(AGENT)) return;
    await this.state.update(KEY, mode === 'agent' ? undefined : mode);
    await this.state.update(AGENT, agent);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

export function modeText(
  mode: ChatMode,
  isUnasked = false,
): { readonly label: string; readonly description: string } {
  switch (mode) {
    case 'agent':
      return {
        label: vscode.l10n.t('Agent'),
        description: isUnasked
          ? vscode.l10n.t(
              'Reads and changes files, asks first, and runs commands in a sandbox without asking',
            )
          : vscode.l10n.t('Reads and changes files and runs commands, and asks first'),
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
