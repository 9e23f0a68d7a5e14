import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { FileVersion } from '../engine/effects.ts';
import { ChatNotFoundError } from '../engine/errors.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import { readFileRecords } from '../files/fileRecords.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';

/** A change of a file by a step of a run. */
export interface RecordedEdit {
  readonly chatId: string;
  readonly messageId: string;
  readonly location: FileLocation;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
  readonly at: number;
}

/** A moment at which it is known what a file held: a step changed it, or it was restored. */
export interface FileMoment {
  readonly location: FileLocation;
  readonly at: number;
  readonly before: FileVersion | null | undefined;
  readonly after: FileVersion | null;
  /** Undefined: it was restored, or the user decided about edits. */
  readonly edit: RecordedEdit | undefined;
}

export type RecordedFilesStore = Pick<
  ReadonlyStore,
  'listChats' | 'listEvents' | 'listFileChanges' | 'onDidChange'
>;

/** What all chats of a user recorded of files, by file. A chat is read again after it changed, when it is asked for. */
export class RecordedFiles implements Disposable {
  private readonly subscriptions = new DisposableStore();
  private readonly byChat = new PromiseCache<readonly FileMoment[]>();
  private readonly all = new PromiseCache<readonly FileMoment[]>();

  constructor(
    private readonly store: RecordedFilesStore,
    private readonly userId: string,
  ) {
    this.subscriptions.add(
      store.onDidChange((change) => {
        if (change.kind === 'draft') return;
        this.byChat.forget(change.chatId);
        this.all.clear();
      }),
    );
  }

  /** Call after the log got an entry about files: the store does not announce it. */
  forget(): void {
    this.byChat.clear();
    this.all.clear();
  }

  /**
   * What happened to a file, oldest first, and to those that it was, became or is a copy of: others that have its name in
   * their folder, as the files of a branch have, and those that steps renamed.
   * @param earlier other paths that the file had
   */
  async momentsOf(location: FileLocation, earlier: readonly string[] = []): Promise<readonly FileMoment[]> {
    const moments = await this.moments();
    const renames = renamesIn(moments);
    const paths = new Set([location.path, ...earlier]);
    // The list grows while it is gone through: a file may have been renamed several times.
    for (const path of paths) {
      for (const [from, to] of renames) {
        if (to === path) paths.add(from);
        if (from === path) paths.add(to);
      }
    }
    return moments.filter((moment) => paths.has(moment.location.path));
  }

  /**
   * When something was recorded first, in milliseconds since 1970; undefined: nothing was in this folder, nor of a file
   * of this path in another one.
   */
  async since({ folder, path }: FileLocation): Promise<number | undefined> {
    const moments = await this.moments();
    const isThere = moments.some(({ location }) => location.folder === folder || location.path === path);
    return isThere ? moments[0]?.at : undefined;
  }

  /** Where a file with this content was recorded last. */
  async locationOf(hash: string): Promise<FileLocation | undefined> {
    return (await this.moments()).findLast(({ after }) => after?.hash === hash)?.location;
  }

  /** Of all files, that of the last change first. */
  async folders(): Promise<readonly string[]> {
    const moments = await this.moments();
    return [...new Set(moments.map(({ location }) => location.folder).toReversed())];
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private moments(): Promise<readonly FileMoment[]> {
    return this.all.get('', async () => {
      const moments: FileMoment[] = [];
      for (const { id } of await this.store.listChats({ userId: this.userId, details: false })) {
        moments.push(...(await this.byChat.get(id, () => readMoments(this.store, id))));
      }
      return moments.sort((a, b) => a.at - b.at);
    });
  }
}

async function readMoments(store: RecordedFilesStore, chatId: string): Promise<FileMoment[]> {
  try {
    const moments: FileMoment[] = [];
    for (const { messageId, files } of await store.listFileChanges(chatId)) {
      for (const { folder, path, before, after, at } of files) {
        if (isNoFile(before) || isNoFile(after)) continue;
        const location = { folder, path };
        moments.push({
          ...{ location, at, before, after },
          edit: { chatId, messageId, location, before, after, at },
        });
      }
    }
    for (const { record } of await readFileRecords(store, chatId)) {
      for (const file of record.files) {
        if (!('messageId' in file) || isNoFile(file.version)) continue;
        const { folder, path, version: after } = file;
        moments.push({
          location: { folder, path },
          at: record.at,
          before: undefined,
          after,
          edit: undefined,
        });
      }
    }
    return moments;
  } catch (error) {
    // It was deleted since it was listed.
    if (error instanceof ChatNotFoundError) return [];
    throw error;
  }
}

/** Links and folders have no lines. */
function isNoFile(version: FileVersion | null): boolean {
  return version?.kind !== undefined;
}

/** The paths of files that a step removed and made again elsewhere, as they were. */
function renamesIn(moments: readonly FileMoment[]): (readonly [string, string])[] {
  const removed = new Map<string, string>();
  const renames: (readonly [string, string])[] = [];
  const ofStep = ({ chatId, messageId }: RecordedEdit, { hash }: FileVersion): string =>
    JSON.stringify([chatId, messageId, hash]);
  const made = new Map<string, string>();
  for (const { edit } of moments) {
    if (!edit) continue;
    const { before, after, location } = edit;
    if (before && !after) {
      const key = ofStep(edit, before);
      removed.set(key, location.path);
      const to = made.get(key);
      if (to !== undefined) renames.push([location.path, to]);
    }
    if (after && !before) {
      const key = ofStep(edit, after);
      made.set(key, location.path);
      const from = removed.get(key);
      if (from !== undefined) renames.push([from, location.path]);
    }
  }
  return renames;
}
