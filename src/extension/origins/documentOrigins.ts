import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import { PromiseCache } from '../../base/promiseCache.ts';
import { findImportedEdits, importedLines, type ImportedEdit } from '../../lineOrigins/importedLines.ts';
import type { LineOrigin } from '../../lineOrigins/lineOrigin.ts';
import { LineOrigins, type FileOrigins } from '../../lineOrigins/lineOrigins.ts';
import { otherAttempts, type ToldLine } from '../../lineOrigins/otherAttempts.ts';
import {
  readStepDetails,
  type Authors,
  type StepDetails,
  type StepPlace,
} from '../../lineOrigins/stepDetails.ts';
import type { RecordedEdit } from '../../lineOrigins/recordedFiles.ts';
import { utf8TextOf } from '../../lineOrigins/utf8Text.ts';
import type { EditsReview } from '../files/editsReview.ts';
import { isFile } from '../files/openFolders.ts';
import { uriOf } from '../files/openEditors.ts';

/** In UTF-16 units: the lines of a larger document are not told. */
const MOST_TEXT = 5_000_000;

/** How many files are kept of which the imported edits are known. */
const MOST_IMPORTED = 8;

/** A line that a step wrote. */
export interface WrittenLine extends Pick<LineOrigin, 'line' | 'isChangedSince'> {
  readonly edit: StepPlace;
  /** The session of another program says so: there are no versions of the file. */
  readonly isImported: boolean;
}

/** Who wrote the lines of documents, as they are in their editors. */
export class DocumentOrigins implements Disposable {
  private readonly subscriptions = new DisposableStore();
  private readonly changed = new Emitter<void>();
  /** From what was recorded, and what git has of it. */
  readonly recorded: LineOrigins;
  private known = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly mark: string | undefined; readonly file: Promise<FileOrigins> }
  >();
  private readonly edits = new PromiseCache<readonly ImportedEdit[]>(MOST_IMPORTED);
  private imported = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly lines: ReadonlyMap<number, readonly StepPlace[]> }
  >();
  /** Something was recorded: lines that were told may have other writers. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly deps: {
      readonly store: ReadonlyStore;
      readonly userId: string;
      /** Undefined: the store is not shared. */
      readonly shared: Authors | undefined;
      readonly review: Pick<EditsReview, 'onDidDecide'>;
      readonly host: Pick<Host, 'committedHistory'>;
      /** Called once when git can't be asked. */
      readonly onError: (error: unknown) => void;
    },
  ) {
    const { store, userId, review, host, onError } = deps;
    this.recorded = new LineOrigins(store, userId, textOf, {
      // Settings of a repository that is not trusted may say what git starts.
      open: async () => (vscode.workspace.isTrusted ? host.committedHistory?.() : undefined),
      onError,
    });
    const forget = (): void => {
      this.known = new WeakMap();
      this.edits.clear();
      this.imported = new WeakMap();
      this.changed.fire();
    };
    this.subscriptions.addAll(
      this.changed,
      this.recorded,
      store.onDidChange((change) => {
        if (change.kind === 'messages' || change.kind === 'chat') forget();
      }),
      review.onDidDecide(() => {
        this.recorded.forget();
        forget();
      }),
    );
  }

  /** Undefined: it is no file of the open folders, or too large. */
  async of(document: vscode.TextDocument): Promise<FileOrigins | undefined> {
    const location = locationOf(document.uri);
    if (!location) return undefined;
    const mark = await this.recorded.markOf(location);
    const { version } = document;
    const known = this.known.get(document);
    if (known?.version === version && known.mark === mark) return known.file;
    const text = document.getText();
    if (text.length > MOST_TEXT) return undefined;
    const file = this.recorded.of(location, text);
    this.known.set(document, { version, mark, file });
    return file;
  }

  /** Undefined: no run wrote the line, or it is not known. */
  async at(
    document: vscode.TextDocument,
    line: number,
  ): Promise<(ToldLine & { readonly file: FileOrigins }) | undefined> {
    const file = await this.of(document);
    const origin = file?.lines.find((each) => each.line === line);
    return file && origin && { origin, file };
  }

  /** The lines that recorded steps wrote. */
  async recordedLines(document: vscode.TextDocument): Promise<readonly WrittenLine[]> {
    const lines = (await this.of(document))?.lines ?? [];
    return lines.map(({ line, edit, isChangedSince }) => ({ line, edit, isChangedSince, isImported: false }));
  }

  /** The steps of imported chats that put a line there as it is, the last first. */
  async importedAt(document: vscode.TextDocument, line: number): Promise<readonly StepPlace[]> {
    return (await this.importedIn(document)).get(line) ?? [];
  }

  /** The lines that no recorded step wrote, but one of an imported chat. */
  async importedLines(document: vscode.TextDocument): Promise<readonly WrittenLine[]> {
    const [file, imported] = await Promise.all([this.of(document), this.importedIn(document)]);
    const recorded = new Set(file?.lines.map(({ line }) => line));
    return [...imported].flatMap(([line, [edit]]) =>
      edit && !recorded.has(line) ? { line, edit, isChangedSince: false, isImported: true } : [],
    );
  }

  details(place: StepPlace): Promise<StepDetails | undefined> {
    const { store, userId, shared } = this.deps;
    return readStepDetails(store, userId, place, shared);
  }

  /** What other branches made of the same lines. */
  otherAttempts(told: ToldLine): Promise<RecordedEdit[]> {
    return otherAttempts(this.deps.store, told);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private async importedIn(
    document: vscode.TextDocument,
  ): Promise<ReadonlyMap<number, readonly StepPlace[]>> {
    const { version } = document;
    const known = this.imported.get(document);
    if (known?.version === version) return known.lines;
    const path = locationOf(document.uri)?.path;
    const text = document.getText();
    if (path === undefined || text.length > MOST_TEXT) return new Map();
    const { store, userId } = this.deps;
    const { imported } = this;
    const edits = await this.edits.get(path, () => findImportedEdits(store, userId, path));
    const lines = importedLines(edits, text);
    imported.set(document, { version, lines });
    return lines;
  }
}

/** As recorded: the folder that is open, and the path in it. */
export function locationOf(uri: vscode.Uri): FileLocation | undefined {
  if (!isFile(uri)) return undefined;
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (!folder) return undefined;
  const path = uri.path.slice(folder.path.replace(/\/$/u, '').length + 1);
  return { folder: folder.toString(), path };
}

/** Most files are UTF-8, which is read here: the editor reads others. */
async function textOf(bytes: Uint8Array, location: FileLocation): Promise<string | undefined> {
  const text = utf8TextOf(bytes);
  if (text !== undefined) return text;
  const { editorTexts } = await import('../files/editorEncodings.ts');
  const read = await editorTexts.read(uriOf(location).toString(), bytes);
  return read.isBinary || read.text.includes('\0') ? undefined : read.text;
}
