import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import { LineOrigins, type FileOrigins } from '../../lineOrigins/lineOrigins.ts';
import { otherAttempts, type ToldLine } from '../../lineOrigins/otherAttempts.ts';
import { readStepDetails, type StepDetails } from '../../lineOrigins/stepDetails.ts';
import type { RecordedEdit } from '../../lineOrigins/recordedFiles.ts';
import { utf8TextOf } from '../../lineOrigins/utf8Text.ts';
import type { EditsReview } from '../files/editsReview.ts';
import { isFile } from '../files/openFolders.ts';
import { uriOf } from '../files/openEditors.ts';
import { logFailure } from '../ui/failures.ts';
import { importedLines, messagesNaming } from './importedLines.ts';

/** In UTF-16 units: the lines of a larger document are not told. */
const MOST_TEXT = 5_000_000;

/** Who wrote the lines of documents, as they are in their editors. */
export class DocumentOrigins implements Disposable {
  private readonly subscriptions = new DisposableStore();
  private readonly changed = new Emitter<void>();
  private readonly origins: LineOrigins;
  private known = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly mark: string | undefined; readonly file: Promise<FileOrigins> }
  >();
  /** Something was recorded: lines that were told may have other writers. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly deps: {
      readonly store: ReadonlyStore;
      readonly userId: string;
      readonly review: Pick<EditsReview, 'onDidDecide'>;
      readonly host: Pick<Host, 'fileHistory'>;
      readonly log: vscode.LogOutputChannel;
    },
  ) {
    const { store, userId, review, host, log } = deps;
    this.origins = new LineOrigins(store, userId, textOf, {
      // Settings of a repository that is not trusted may say what git starts.
      open: async () => (vscode.workspace.isTrusted ? host.fileHistory?.() : undefined),
      onError: (error) => logFailure(log, 'History of git', error),
    });
    const forget = (): void => {
      this.known = new WeakMap();
      this.changed.fire();
    };
    this.subscriptions.addAll(
      this.changed,
      this.origins,
      store.onDidChange((change) => {
        if (change.kind === 'messages' || change.kind === 'chat') forget();
      }),
      review.onDidDecide(() => {
        this.origins.forget();
        forget();
      }),
    );
  }

  /** Undefined: it is no file of the open folders, or too large. */
  async of(document: vscode.TextDocument): Promise<FileOrigins | undefined> {
    const location = locationOf(document.uri);
    if (!location) return undefined;
    const mark = await this.origins.markOf(location);
    const { version } = document;
    const known = this.known.get(document);
    if (known?.version === version && known.mark === mark) return known.file;
    const text = document.getText();
    if (text.length > MOST_TEXT) return undefined;
    const file = this.origins.of(location, text);
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

  /** The messages of imported chats that put the line there as it is, the last first. */
  async importedAt(document: vscode.TextDocument, line: number): Promise<readonly MessageData[]> {
    const path = locationOf(document.uri)?.path;
    const text = document.getText();
    if (path === undefined || text.length > MOST_TEXT) return [];
    const { store, userId } = this.deps;
    const naming = await messagesNaming(store, userId, path);
    return (await importedLines(store, path, text, naming)).get(line) ?? [];
  }

  details(edit: Pick<RecordedEdit, 'chatId' | 'messageId' | 'at'>): Promise<StepDetails | undefined> {
    return readStepDetails(this.deps.store, this.deps.userId, edit);
  }

  /** What other branches made of the same lines. */
  otherAttempts(told: ToldLine): Promise<RecordedEdit[]> {
    return otherAttempts(this.deps.store, told);
  }

  dispose(): void {
    this.subscriptions.dispose();
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
