import * as vscode from 'vscode';
import type { findMemory, FoundFacts } from '../../agent/memory/findMemory.ts';
import type { MemoryChange } from '../../agent/memory/memoryChange.ts';
import type { memoryFragments } from '../../agent/memory/memoryFragments.ts';
import type { MemoryPlace } from '../../agent/memory/memoryPlace.ts';
import type { MemoryHost } from '../../agent/memory/rememberTool.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Fragment } from '../../engine/fragments/index.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { Settings } from '../manifest/settings.ts';
import { readsProjectFiles } from './instructionsFiles.ts';
import { watchFiles } from '../files/watchFiles.ts';

export type MemoryMachine = Pick<Host, 'files' | 'guardedFiles' | 'home' | 'pathOf' | 'workspaceFiles'>;

/** What is needed only once a question is asked, or counted. */
export interface MemoryWork {
  readonly findMemory: typeof findMemory;
  readonly memoryFragments: typeof memoryFragments;
  readonly memoryPlaces: (
    machine: Pick<MemoryOptions, 'host' | 'own' | 'storage'>,
    project: GuardedFiles,
  ) => readonly MemoryPlace[];
  /** @throws OffshootError, WorkspaceFileError */
  readonly changeMemory: (place: MemoryPlace, change: MemoryChange) => Promise<void>;
  readonly texts: FileTexts;
}

export interface MemoryOptions {
  readonly guarded: GuardedFiles;
  /** The user’s own folder. */
  readonly own: GuardedFiles | undefined;
  readonly host: MemoryMachine;
  /** A folder that all windows of the user share. */
  readonly storage: vscode.Uri;
  readonly settings: Settings;
  readonly work: () => Promise<MemoryWork>;
}

/** What is remembered of the project, of the user and on a branch; nothing where no instruction files are read. */
export class Memory implements Disposable {
  private readonly notified = new vscode.EventEmitter<void>();
  private readonly subscriptions: Disposable;

  readonly onDidChange = this.notified.event;

  constructor(private readonly options: MemoryOptions) {
    // The user’s own file is not watched: it is read with the next question.
    const notify = (): void => this.notified.fire();
    this.subscriptions = vscode.Disposable.from(this.notified, watchFiles('**/.offshoot/memory.md', notify));
  }

  /** @param files of the project, left out: those of the open folders */
  async read(onBranch: JsonValue | undefined, files = this.options.guarded): Promise<readonly FoundFacts[]> {
    if (!this.isOn(files)) return [];
    const { findMemory, texts } = await this.options.work();
    return findMemory(await this.places(files), texts, onBranch);
  }

  async fragments({
    branchMemory,
    files,
  }: {
    readonly branchMemory?: JsonValue | undefined;
    readonly files?: GuardedFiles | undefined;
  }): Promise<Fragment[]> {
    const found = await this.read(branchMemory, files);
    return found.length === 0 ? [] : (await this.options.work()).memoryFragments(found);
  }

  async places(files = this.options.guarded): Promise<readonly MemoryPlace[]> {
    return this.isOn(files) ? (await this.options.work()).memoryPlaces(this.options, files) : [];
  }

  /** @throws OffshootError, WorkspaceFileError */
  async change(place: MemoryPlace, change: MemoryChange): Promise<void> {
    await (await this.options.work()).changeMemory(place, change);
    this.notified.fire();
  }

  hostFor(files: GuardedFiles, load: MemoryHost['load']): MemoryHost {
    return {
      isOn: () => this.isOn(files),
      places: () => this.places(files),
      changed: () => this.notified.fire(),
      load,
    };
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private isOn(files: GuardedFiles): boolean {
    return readsProjectFiles(this.options.settings, files, this.options.own);
  }
}
