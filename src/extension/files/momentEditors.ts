import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { BlobStore } from '../../engine/store.ts';
import type { FileVersion } from '../../engine/effects.ts';
import { isSameVersion } from '../../files/contentVersion.ts';
import type { FileMoments } from '../../files/fileMoments.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import { openLabelled } from '../ui/tabs.ts';
import { uriOf } from './openEditors.ts';
import { versionText } from './versionFiles.ts';
import { beforeUri } from './versionUris.ts';

/** Documents of files as they were: they change with the moment, and nothing is written. */
const SCHEME = 'offshoot-moment';

interface ShownFile {
  readonly location: FileLocation;
  readonly file: vscode.Uri;
  /** Of its document. */
  readonly moment: vscode.Uri;
  readonly columns: Map<vscode.ViewColumn, { readonly isPreview: boolean }>;
  version: FileVersion | null | undefined;
  text: string;
}

/**
 * Has the editors that show files of a path show them as they were at a moment of it, read-only, until it ends.
 */
export class MomentEditors {
  private readonly subscriptions = new DisposableStore();
  private readonly changed = this.subscriptions.add(new vscode.EventEmitter<vscode.Uri>());
  /** By the address of the document. */
  private readonly shown = new Map<string, ShownFile>();
  private readonly locations: ReadonlyMap<string, FileLocation>;
  private readonly steps = new Sequencer();

  constructor(
    private readonly blobs: BlobStore,
    private readonly moments: FileMoments,
  ) {
    this.locations = new Map(moments.files.map((location) => [uriOf(location).toString(), location]));
    this.subscriptions.add(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => this.shown.get(uri.toString())?.text ?? '',
      }),
    );
  }

  /**
   * @param place of a message on the path
   * @returns how many files are shown as they were
   */
  show(place: number): Promise<number> {
    return this.steps.run(async () => {
      const opened = this.takeEditors();
      const all = [...this.shown.values()];
      await Promise.all(all.map((each) => this.update(each, place)));
      for (const { each, column } of opened) await this.open(each, column);
      return all.length;
    });
  }

  /**
   * The files are shown again once this resolves.
   * @param options `takesFocus`: the editor that is active has the focus, and so has its file then
   */
  async end({ takesFocus = false }: { readonly takesFocus?: boolean } = {}): Promise<void> {
    await this.steps.run(async () => {
      for (const { file, moment, columns } of this.shown.values()) {
        for (const [viewColumn, { isPreview }] of columns) {
          const tab = tabsOf(moment).find(({ group }) => group.viewColumn === viewColumn);
          // The user closed it, or went to another tab.
          if (tab?.isActive === true)
            await vscode.window.showTextDocument(file, {
              viewColumn,
              preview: isPreview,
              preserveFocus: !(takesFocus && tab.group.isActive),
            });
        }
        await vscode.window.tabGroups.close(tabsOf(moment), true);
      }
      this.shown.clear();
    });
    this.subscriptions.dispose();
  }

  /** Editors that show one of the files: each gets a document in its place. */
  private takeEditors(): { readonly each: ShownFile; readonly column: vscode.ViewColumn }[] {
    return vscode.window.tabGroups.all.flatMap(({ activeTab, viewColumn: column }) => {
      const input = activeTab?.input;
      if (!activeTab || !(input instanceof vscode.TabInputText)) return [];
      const location = this.locations.get(input.uri.toString());
      if (!location) return [];
      const moment = input.uri.with({ scheme: SCHEME, query: input.uri.toString() });
      const each: ShownFile = this.shown.get(moment.toString()) ?? {
        ...{ location, file: input.uri, moment, columns: new Map(), version: undefined, text: '' },
      };
      each.columns.set(column, { isPreview: activeTab.isPreview });
      this.shown.set(moment.toString(), each);
      return [{ each, column }];
    });
  }

  private async update(each: ShownFile, place: number): Promise<void> {
    const version = this.moments.versionAt(each.location, place) ?? null;
    if (each.version !== undefined && isSameVersion(version, each.version)) return;
    each.version = version;
    each.text = await this.textOf(each, version);
    this.changed.fire(each.moment);
  }

  private async textOf({ file }: ShownFile, version: FileVersion | null): Promise<string> {
    if (version === null) return vscode.l10n.t('There was no such file at this point.');
    try {
      return await versionText(this.blobs, beforeUri(file, version).query);
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) throw error;
      return vscode.l10n.t('This version of the file was not kept.');
    }
  }

  private async open({ file, moment }: ShownFile, viewColumn: vscode.ViewColumn): Promise<void> {
    const before = editorOf(file, viewColumn);
    const [range] = before?.visibleRanges ?? [];
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    await openLabelled(moment, vscode.l10n.t('{0} (as it was)', name), {
      ...{ viewColumn, preview: true, preserveFocus: true },
      ...(before && { selection: before.selection }),
    });
    if (!range) return;
    // The top may be under lines that stick there.
    const middle = new vscode.Position((range.start.line + range.end.line) >> 1, 0);
    const revealed = new vscode.Range(middle, middle);
    editorOf(moment, viewColumn)?.revealRange(revealed, vscode.TextEditorRevealType.InCenter);
  }
}

function editorOf(uri: vscode.Uri, column: vscode.ViewColumn): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(
    ({ document, viewColumn }) => viewColumn === column && document.uri.toString() === uri.toString(),
  );
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}
