import * as vscode from 'vscode';
import {
  findInstructions,
  type InstructionsReader,
  type ProjectInstructions,
} from '../../agent/instructions/projectInstructions.ts';
import {
  questionInstructions,
  type AskedAbout,
  type MatchesPattern,
} from '../../agent/instructions/questionInstructions.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { Settings } from '../settings/settings.ts';

/** What nobody needs before a file says for which others it is. */
export interface InstructionsWork {
  readonly instructionsReader: InstructionsReader;
  readonly matchesPattern: MatchesPattern;
}

const NONE: ProjectInstructions = { always: [], conditional: [], unused: [] };

/** The instruction files of the open folders; none while the workspace is not trusted or the setting is off. */
export class InstructionsFiles implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: Disposable;

  /** One of them changed, or others are there. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly settings: Settings,
    private readonly files: GuardedFiles,
    private readonly work: () => Promise<InstructionsWork>,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(
      '**/{AGENTS.md,CLAUDE.md,copilot-instructions.md,*.instructions.md}',
    );
    const notify = (): void => this.changed.fire();
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      watcher,
      watcher.onDidChange(notify),
      watcher.onDidCreate(notify),
      watcher.onDidDelete(notify),
      vscode.workspace.onDidChangeWorkspaceFolders(notify),
    );
  }

  /** What they say, as they are on the disk. */
  async read(): Promise<ProjectInstructions> {
    if (!vscode.workspace.isTrusted || !this.settings.get('instructions.files')) return NONE;
    return findInstructions(this.files, async () => (await this.work()).instructionsReader);
  }

  /** What goes with a question because of the files that it is about. */
  async forQuestion(about: Omit<AskedAbout, 'active'>): Promise<UIMessagePart[]> {
    if (!vscode.workspace.isTrusted || !this.settings.get('instructions.files')) return [];
    const active = vscode.window.activeTextEditor?.document.uri;
    const project = await this.read();
    const matches = project.conditional.length === 0 ? () => false : (await this.work()).matchesPattern;
    return questionInstructions(
      { files: this.files, project, matches },
      { ...about, active: active?.scheme === 'file' ? active.toString() : undefined },
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
