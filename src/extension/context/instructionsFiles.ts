import * as vscode from 'vscode';
import type {
  findInstructions,
  InstructionsReader,
  ProjectInstructions,
  projectInstructionsFragments,
} from '../../agent/instructions/projectInstructions.ts';
import type {
  AskedAbout,
  MatchesPattern,
  questionInstructions,
} from '../../agent/instructions/questionInstructions.ts';
import type { environmentParts } from '../../agent/instructions/environmentParts.ts';
import type { currentEnvironment } from './currentEnvironment.ts';
import type { Fragment } from '../../engine/fragments/index.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { Settings } from '../manifest/settings.ts';
import { isFile } from '../files/openFolders.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { InstructionsKept, type SaveInstructions } from './instructionsKept.ts';
import { watchFiles } from '../files/watchFiles.ts';

/** What is needed only once a question is asked, or counted. */
export interface InstructionsWork {
  readonly findInstructions: typeof findInstructions;
  readonly projectInstructionsFragments: typeof projectInstructionsFragments;
  readonly questionInstructions: typeof questionInstructions;
  readonly environmentParts: typeof environmentParts;
  readonly currentEnvironment: typeof currentEnvironment;
  readonly instructionsReader: InstructionsReader;
  readonly texts: FileTexts;
  readonly matchesPattern: MatchesPattern;
}

const NONE: ProjectInstructions = { always: [], conditional: [], unused: [] };

/** The instruction files of the open folders and the user's own; none while the workspace is not trusted or the setting is off. */
export class InstructionsFiles implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: Disposable;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly settings: Settings,
    private readonly files: GuardedFiles,
    private readonly work: () => Promise<InstructionsWork>,
    /** Those of the user's own folder. */
    private readonly own: GuardedFiles | undefined,
  ) {
    const notify = (): void => this.changed.fire();
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      watchFiles(
        '**/{AGENTS.md,AGENTS.override.md,CLAUDE.md,copilot-instructions.md,*.instructions.md}',
        notify,
      ),
      vscode.workspace.onDidChangeWorkspaceFolders(notify),
    );
  }

  /** As they are on the disk. @param files left out: those of the open folders */
  async read(files = this.files): Promise<ProjectInstructions> {
    if (!this.isOn) return NONE;
    const { findInstructions, instructionsReader, texts } = await this.work();
    return findInstructions(files, instructionsReader, texts, this.own);
  }

  async fragments({
    hasTools,
    files,
  }: {
    readonly hasTools: boolean;
    readonly files?: GuardedFiles | undefined;
  }): Promise<Fragment[]> {
    if (!this.isOn) return [];
    const { projectInstructionsFragments } = await this.work();
    return projectInstructionsFragments(await this.read(files), { hasTools });
  }

  /** What is sent with a question because of the files that it is about. */
  async forQuestion({
    files = this.files,
    ...about
  }: Omit<AskedAbout, 'active'> & { readonly files?: GuardedFiles | undefined }): Promise<UIMessagePart[]> {
    if (!this.isOn) return [];
    const active = vscode.window.activeTextEditor?.document.uri;
    const project = await this.read(files);
    const { matchesPattern: matches, questionInstructions, texts } = await this.work();
    return questionInstructions(
      { files, project, matches, texts },
      { ...about, active: active && isFile(active) ? active.toString() : undefined },
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private get isOn(): boolean {
    return readsProjectFiles(this.settings, this.files, this.own);
  }
}

/**
 * Whether files that instruct the model are read: in a trusted workspace, unless they are turned off.
 * @param own the user's own folder, where they are too
 */
export function readsProjectFiles(settings: Settings, files: GuardedFiles, own?: GuardedFiles): boolean {
  const isWanted = vscode.workspace.isTrusted && settings.get('instructions.files');
  return isWanted && (own !== undefined || files.folders().length > 0);
}

/** The files of the user's own folder; undefined where there is none. */
export function userFiles(host: Pick<Host, 'home' | 'guardedFiles'>): GuardedFiles | undefined {
  const { home: uri } = host;
  return uri === undefined ? undefined : host.guardedFiles(() => [{ name: '~', uri }]);
}

interface InstructionsOptions {
  readonly current: CurrentChat;
  readonly guarded: GuardedFiles;
  readonly own: GuardedFiles | undefined;
  readonly save: SaveInstructions;
  readonly settings: Settings;
  readonly store: ReadonlyStore;
  readonly userId: string;
  readonly work: () => Promise<InstructionsWork>;
}

export interface Instructions extends Disposable {
  readonly kept: InstructionsKept;
  readonly files: InstructionsFiles;
}

export function createInstructions({
  current,
  guarded,
  own,
  save,
  settings,
  store,
  userId,
  work,
}: InstructionsOptions): Instructions {
  const kept = new InstructionsKept(store, userId, current, save);
  const files = new InstructionsFiles(settings, guarded, work, own);
  return {
    kept,
    files,
    dispose: () => {
      files.dispose();
      kept.dispose();
    },
  };
}
