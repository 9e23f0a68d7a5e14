import * as vscode from 'vscode';
import {
  findInstructionsFiles,
  INSTRUCTIONS_FILE,
  type InstructionsFile,
} from '../../agent/instructions/readInstructionsFiles.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { Settings } from '../settings/settings.ts';

/** The instruction files of the open folders; none while the workspace is not trusted or the setting is off. */
export class AgentsFiles implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: Disposable;

  /** One of them changed, or others apply now. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly settings: Settings,
    private readonly files: GuardedFiles,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${INSTRUCTIONS_FILE}`);
    const notify = (): void => this.changed.fire();
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      watcher,
      watcher.onDidChange(notify),
      watcher.onDidCreate(notify),
      watcher.onDidDelete(notify),
      vscode.window.onDidChangeActiveTextEditor(notify),
      vscode.workspace.onDidChangeWorkspaceFolders(notify),
    );
  }

  /** Those that apply now, as they are on the disk. */
  async read(): Promise<InstructionsFile[]> {
    if (!vscode.workspace.isTrusted || !this.settings.get('instructions.files')) return [];
    const active = vscode.window.activeTextEditor?.document.uri;
    return findInstructionsFiles(this.files, active?.scheme === 'file' ? active.toString() : undefined);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
