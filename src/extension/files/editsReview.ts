import * as vscode from 'vscode';
import type { FileVersion } from '../../engine/effects.ts';
import type { JsonObject } from '../../engine/json.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ViewedBy } from '../../engine/users.ts';
import { contentAt, contentOf, isSameVersion, keyOf, versionOf } from '../../files/contentVersion.ts';
import {
  readEditsToReview,
  reviewedDetails,
  type FileToReview,
  type ReviewedFile,
} from '../../files/editsToReview.ts';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { FileContent, FileLocation } from '../../host/workspaceFiles.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { logFailure } from '../ui/failures.ts';
import { uriOf } from './openEditors.ts';
import { shownLocation, workspaceFolders } from './openFolders.ts';
import type { ReviewView } from '../../protocol/chatFromHost.ts';

export interface EditsReviewOptions {
  /** Whose active branch counts. */
  readonly by: ViewedBy;
  readonly files: ChangedFiles;
  readonly log: vscode.LogOutputChannel;
  readonly logReviewed: (chatId: string, details: JsonObject) => Promise<void>;
  readonly store: ReadonlyStore;
  /** The URIs of the folders that the chat works in now; undefined: those that are open. */
  readonly foldersOf: (chatId: string) => Promise<readonly string[] | undefined>;
}

/** A file with undecided edits, as it is on the disk. */
export interface EditedFile extends FileToReview {
  /** Unique among all workspace folders. */
  readonly key: string;
  readonly now: FileVersion | null;
  /** Lines; left out if the file is not text, or too large. */
  readonly lines?: { readonly added: number; readonly removed: number };
}

/** How long changes are batched before files are read, in milliseconds: the conversation is shown first. */
const GATHER_MS = 50;

/** In bytes: the lines of a larger file are not counted. */
const MAX_COMPARED = 1_000_000;

/** How many chats are cached; those that are shown ask again. */
const MAX_CHATS = 10;

/** Edits that were kept are no longer listed. */
export class EditsReview implements Disposable {
  private readonly subscriptions = new DisposableStore();
  private readonly changed = new Emitter<void>();
  private readonly decided = new Emitter<void>();
  private readonly known = new Map<string, readonly EditedFile[]>();
  private readonly stale = new Set<string>();
  private readonly reading: Debouncer;
  readonly onDidChange = this.changed.event;
  /** Files of a chat were restored, or edits kept: the store announces no such entries of the log. */
  readonly onDidDecide = this.decided.event;

  constructor(private readonly options: EditsReviewOptions) {
    this.reading = new Debouncer(GATHER_MS, () => this.readStale());
    this.subscriptions.addAll(
      this.reading,
      this.changed,
      this.decided,
      options.store.onDidChange((change) => {
        if (change.kind !== 'draft' && this.known.has(change.chatId)) this.refresh(change.chatId);
      }),
      vscode.workspace.onDidSaveTextDocument(() => this.refreshEdited()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        // Other programs may have changed them, such as a terminal or git.
        if (focused) this.refreshEdited();
      }),
    );
  }

  /** What is known without reading; anything else is read soon, and announced. */
  of(chatId: string): readonly EditedFile[] {
    const files = this.known.get(chatId);
    if (!files) {
      if (this.known.size >= MAX_CHATS) this.known.clear();
      this.known.set(chatId, []);
      this.refresh(chatId);
    }
    return files ?? [];
  }

  async read(chatId: string): Promise<readonly EditedFile[]> {
    const opened = new Set(
      (await this.options.foldersOf(chatId)) ?? workspaceFolders().map(({ uri }) => uri),
    );
    const files: EditedFile[] = [];
    for (const file of await readEditsToReview(this.options.store, chatId)) {
      const edited = opened.has(file.location.folder) ? await this.look(file) : undefined;
      if (edited) files.push(edited);
    }
    return files;
  }

  /** Call after a change to the files of a chat that the store does not announce. */
  refresh(chatId: string): void {
    this.stale.add(chatId);
    this.reading.soon();
  }

  /** Call after the log got an entry about files. */
  logged(chatId: string): void {
    this.refresh(chatId);
    this.decided.fire();
  }

  async decide(chatId: string, files: readonly ReviewedFile[]): Promise<void> {
    const { by, store, logReviewed } = this.options;
    if (files.length === 0) return;
    await logReviewed(chatId, await reviewedDetails(store, chatId, files, Date.now(), by));
    this.decided.fire();
    await this.update(chatId);
  }

  /** Undefined if it is not text, or was not stored. */
  async baselineText({ baseline, location }: FileToReview): Promise<string | undefined> {
    if (baseline === null) return '';
    const content = await contentOf(baseline, this.options.store.blobs);
    return content && textOf(location, content);
  }

  /** The text on the disk; undefined if there is none. */
  async textNow(location: FileLocation): Promise<string | undefined> {
    const content = await this.options.files.workspace.read(location);
    return content && textOf(location, content);
  }

  /**
   * Stores another text of a file, in its encoding.
   * @param of the version whose other lines keep their bytes
   * @throws TextEncodingError where a character would be lost
   */
  async keepText(
    { location, now, baseline }: EditedFile,
    text: string,
    of: 'baseline' | 'now',
  ): Promise<FileVersion | null> {
    const { files, store } = this.options;
    const ofBaseline = of === 'baseline' && baseline ? await contentOf(baseline, store.blobs) : undefined;
    const content = of === 'now' ? await files.workspace.read(location) : ofBaseline;
    const { editorTexts } = await import('./editorEncodings.ts');
    const uri = uriOf(location).toString();
    const bytes = content
      ? await (await editorTexts.read(uri, content.bytes)).contentWith(text)
      : await editorTexts.contentOfNew(uri, text);
    const mode = (now ?? baseline)?.mode;
    return files.keeper.keep(location.path, { bytes: Uint8Array.from(bytes), mode });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  async update(chatId: string): Promise<void> {
    this.stale.add(chatId);
    await this.reading.now();
  }

  private refreshEdited(): void {
    for (const [chatId, files] of this.known) if (files.length > 0) this.refresh(chatId);
  }

  private async readStale(): Promise<void> {
    const chats = [...this.stale];
    this.stale.clear();
    for (const chatId of chats) {
      try {
        const before = this.known.get(chatId);
        const files = await this.read(chatId);
        this.known.set(chatId, files);
        if (JSON.stringify(before ?? []) !== JSON.stringify(files)) this.changed.fire();
      } catch (error) {
        logFailure(this.options.log, 'Edits to review', error);
      }
    }
  }

  /** Undefined: the file is as it was before the edits. */
  private async look(file: FileToReview): Promise<EditedFile | undefined> {
    const { files, store } = this.options;
    try {
      const content = await contentAt(files.workspace, file.location, file.baseline);
      const now = await versionOf(content);
      if (isSameVersion(now, file.baseline)) return undefined;
      const before = file.baseline && (await contentOf(file.baseline, store.blobs));
      const lines =
        before === undefined ? undefined : await linesBetween(file.location, before ?? undefined, content);
      return { ...file, key: keyOf(file.location), now, ...(lines ? { lines } : {}) };
    } catch (error) {
      // It is behind a link, or no file: there is nothing to review.
      logFailure(this.options.log, 'An edited file cannot be read', error);
      return undefined;
    }
  }
}

async function linesBetween(
  location: FileLocation,
  before: FileContent | undefined,
  now: FileContent | undefined,
): Promise<{ added: number; removed: number } | undefined> {
  const [old, current] = await Promise.all(
    [before, now].map((content) => (content ? textOf(location, content) : Promise.resolve(''))),
  );
  if (old === undefined || current === undefined) return undefined;
  const { countLines, hunksOf } = await import('../../files/textHunks.ts');
  return countLines(hunksOf(old, current));
}

/** Byte for byte, so that it can be written back; undefined if it is not such a text, a link, or too long. */
async function textOf(location: FileLocation, { bytes, kind }: FileContent): Promise<string | undefined> {
  if (kind !== undefined || bytes.byteLength > MAX_COMPARED) return undefined;
  const { editorTexts } = await import('./editorEncodings.ts');
  const file = await editorTexts.read(uriOf(location).toString(), bytes);
  return file.isBinary || file.text.includes('\0') || !(await file.isWhole()) ? undefined : file.text;
}

/** How many files the page lists; the others are counted. */
const LISTED = 100;

/** The bar above the input; undefined if there is nothing to review. */
export function reviewView(files: readonly EditedFile[]): ReviewView | undefined {
  if (files.length === 0) return undefined;
  const sum = (kind: 'added' | 'removed'): number =>
    files.reduce((total, { lines }) => total + (lines?.[kind] ?? 0), 0);
  return {
    count: files.length,
    added: sum('added'),
    removed: sum('removed'),
    files: files.slice(0, LISTED).map(({ key, location, baseline, now, lines }) => ({
      id: key,
      path: shownLocation(location),
      ...(baseline === null ? { change: 'created' } : now === null ? { change: 'deleted' } : {}),
      ...(lines ? { lines } : {}),
    })),
  };
}
