import * as vscode from 'vscode';
import { BRANCH_FILES_KEY, mayHaveOwnFiles, type OwnFilesOfRun } from '../../agent/run/ownFilesOfRun.ts';
import type { RunEvent } from '../../agent/run/run.ts';
import { DisposableStore, type Disposable, type Event } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { EngineState } from '../../engine/state.ts';
import { BRANCH_FILES } from '../../host/branchFiles.ts';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import { workspaceFolders } from './openFolders.ts';
import type { KnownOwnFiles, KnownOwnFilesOptions } from './knownOwnFiles.ts';

interface OwnFilesOptions extends Omit<KnownOwnFilesOptions, 'onDidChange'> {
  readonly load: () => Promise<typeof KnownOwnFiles>;
}

/** Which branches have files of their own. What knows more is loaded only if there are some. */
export class OwnFiles implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed: Emitter<void>;
  private loaded: KnownOwnFiles | undefined;
  private looking: Promise<KnownOwnFiles | undefined> | undefined;

  constructor(private readonly options: OwnFilesOptions) {
    this.changed = this.disposables.add(new Emitter<void>());
  }

  /** Files were made, changed or removed. */
  get onDidChange(): Event<void> {
    return this.changed.event;
  }

  /** Whether a branch can get some here. */
  get canBeMade(): boolean {
    const { host } = this.options;
    return host.branchFiles !== undefined && vscode.workspace.isTrusted && workspaceFolders().length > 0;
  }

  /** The folders of all branches, as far as they are known. */
  folders(): readonly OpenedFolder[] {
    return this.loaded?.folders() ?? [];
  }

  /** Undefined while no branch on this machine has any. */
  known(): Promise<KnownOwnFiles | undefined> {
    return (this.looking ??= this.look().then((known) => (void known?.removeKept(), known)));
  }

  /** Undefined while no branch of the chat has any, on this machine or another. */
  async knownOf(chatId: string): Promise<KnownOwnFiles | undefined> {
    const known = await this.known();
    if (known || !mayHaveOwnFiles(await this.options.store.getChat(chatId))) return known;
    // Another window, or another machine, has made some since.
    return (this.looking = this.load().then(async (loaded) => (await loaded.read(), loaded)));
  }

  async load(): Promise<KnownOwnFiles> {
    if (!this.loaded) {
      const Known = await this.options.load();
      this.loaded ??= new Known({ ...this.options, onDidChange: () => this.changed.fire() });
    }
    return this.loaded;
  }

  /** As {@link KnownOwnFiles.host}. */
  async host(): ReturnType<KnownOwnFiles['host']> {
    return (await this.load()).host();
  }

  /** Reads them again: another window may have made or removed some. */
  async refresh(): Promise<void> {
    this.looking = this.look();
    await this.looking;
    this.changed.fire();
  }

  /** What a run uses in place of the workspace. @throws OffshootError */
  async ofRun(
    {
      chatId,
      branch,
      state,
    }: { readonly chatId: string; readonly branch: string; readonly state: EngineState },
    toolsFor: Parameters<KnownOwnFiles['ofRun']>[2],
  ): Promise<OwnFilesOfRun | undefined> {
    const id = await state.get(BRANCH_FILES_KEY);
    if (typeof id !== 'string') return undefined;
    return (await this.load()).ofRun(id, { chatId, branch }, toolsFor);
  }

  /** Counts again what runs changed, and checks it once they have ended. */
  followRuns(runs: { readonly onDidChange: Event<RunEvent> }): void {
    this.disposables.add(
      runs.onDidChange((event) => {
        if (event.kind === 'delta' || event.run.ownFiles === undefined) return;
        void this.load().then((known) => known.progress.follow(event));
      }),
    );
  }

  dispose(): void {
    this.loaded?.dispose();
    this.disposables.dispose();
  }

  private async look(): Promise<KnownOwnFiles | undefined> {
    const { host, folder } = this.options;
    if (!host.branchFiles) return undefined;
    const names = await host.files.names(host.pathOf(folder.toString()));
    if (!names.includes(BRANCH_FILES)) return undefined;
    const known = await this.load();
    await known.read();
    return known;
  }
}
