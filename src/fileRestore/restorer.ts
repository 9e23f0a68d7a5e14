import type { FileVersion } from '../engine/effects.ts';
import { ReadOnlyError } from '../engine/errors.ts';
import type { JsonObject } from '../engine/json.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { FileLocation, WorkspaceFiles } from '../platform/workspaceFiles.ts';
import { FileChangedError, NotWrittenError, RestoreFailedError, VersionLostError } from './restoreErrors.ts';
import { FileHistory, filesRestoredDetails, type RestoredFile } from './fileHistory.ts';
import type { Gate } from './mutex.ts';
import {
  canBeChosen,
  inspectPlan,
  type InspectedFile,
  type InspectedPlan,
  type OpenEditors,
} from './inspectFiles.ts';
import type { RestoreJournal, RestoreRecord } from './restoreJournal.ts';
import { planRestore } from './restorePlan.ts';
import { contentOf, isSameVersion, keyOf, versionOf } from './contentVersion.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

export interface RestorerOptions {
  readonly store: ReadonlyStore;
  /** Keeps in the log of the chat that its files were restored: from then on that counts. */
  readonly logRestored: (chatId: string, details: JsonObject) => Promise<void>;
  readonly files: WorkspaceFiles;
  readonly editors: OpenEditors;
  readonly journal: RestoreJournal;
  readonly gate: Gate;
  /** In bytes. */
  readonly maxFileSize: () => number;
  readonly now?: () => number;
}

/** One file that is changed, and what of it is remembered. */
interface Step {
  readonly location: FileLocation;
  readonly from: FileVersion | null;
  readonly to: FileVersion | null;
  /** Removed when they are empty after the file is gone. */
  readonly madeFolders: readonly string[];
  /** What its editor holds and the disk does not: dropped by the step, and brought back when it is taken back. */
  readonly unsaved: string | undefined;
  /** Text to put into its editor, unsaved, when all is done. */
  readonly unsavedAfter?: string | undefined;
  readonly standAfter: Pick<RestoredFile, 'messageId' | 'version'>;
  readonly standBefore: Pick<RestoredFile, 'messageId' | 'version'>;
}

/** Files that were brought to another point, and what it takes to undo that. */
export interface Restored {
  readonly chatId: string;
  readonly steps: readonly Step[];
  /** How many files hold something else than before. */
  readonly count: number;
}

/** What became of a restore that the program did not live to end. */
export interface RecoveredRestore {
  readonly outcome: 'undone' | 'completed' | 'damaged';
  readonly count: number;
  /** Files that were changed meanwhile and left alone, or could not be put back. */
  readonly notPutBack: readonly string[];
}

/**
 * Brings the files of the workspace to another point of a conversation: all that were chosen or none. What was written is
 * read back before it counts, and a file that is not what was looked at is never written over.
 */
export class Restorer {
  constructor(private readonly options: RestorerOptions) {}

  /** What would become of the files; nothing is changed. @param messageId null: before the first message */
  async preview(chatId: string, messageId: string | null): Promise<InspectedPlan> {
    const { store, files, editors, maxFileSize } = this.options;
    const history = await FileHistory.read(store, chatId);
    const plan = await planRestore(history, messageId, async (id) =>
      id === null ? [] : (await store.getPath(chatId, id)).map((message) => message.id),
    );
    return inspectPlan(plan, { files, editors, blobs: store.blobs, maxFileSize: maxFileSize() });
  }

  /**
   * Brings the chosen files of a preview to its point.
   * @param commit done when all files are right and before that counts; when it fails, the files are put back
   * @throws RestoreFailedError when nothing was restored
   */
  async restore(
    chatId: string,
    { messageId }: InspectedPlan,
    chosen: readonly InspectedFile[],
    commit: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Restored> {
    const steps = chosen.filter(canBeChosen).map(({ planned, current }): Step => {
      const { location, target, stand, madeFolders } = planned;
      return {
        location,
        from: current,
        to: target,
        madeFolders,
        unsaved: this.options.editors.unsavedText(location),
        standAfter: { messageId, version: target },
        standBefore: { messageId: stand.messageId, version: stand.version },
      };
    });
    return this.perform(chatId, steps, commit);
  }

  /**
   * Takes a restore back. Files that were changed since are left alone.
   * @returns the files that were left alone, by their paths
   * @throws RestoreFailedError when nothing was taken back
   */
  async undo({ chatId, steps }: Restored, commit?: () => Promise<void>): Promise<string[]> {
    const left: string[] = [];
    const back: Step[] = [];
    for (const step of steps) {
      if (await this.isUntouched(step)) back.push(reversed(step));
      else left.push(step.location.path);
    }
    await this.perform(chatId, back, commit ?? (() => Promise.resolve()));
    return left;
  }

  /** Ends what a crash cut off: a restore that had not come to its end is taken back. */
  async recover(): Promise<RecoveredRestore | undefined> {
    const { journal, gate } = this.options;
    return gate.pass(async () => {
      const record = await journal.left();
      if (record === undefined) return undefined;
      if (record === 'damaged') return { outcome: 'damaged', count: 0, notPutBack: [] };
      const { steps } = record;
      if (await this.isCommitted(record)) {
        await journal.end();
        return { outcome: 'completed', count: steps.length, notPutBack: [] };
      }
      const taken = steps.map(({ folder, path, ...step }) => ({ location: { folder, path }, ...step }));
      const notPutBack = await this.putBack(record.restoreId, taken);
      await this.bringBackUnsaved(taken);
      await journal.end();
      return { outcome: 'undone', count: steps.length, notPutBack };
    });
  }

  private async isCommitted({ chatId, restoreId }: RestoreRecord): Promise<boolean> {
    const { store } = this.options;
    return (await FileHistory.read(store, chatId)).hasRestored(restoreId);
  }

  private async isUntouched({ location, to }: Step): Promise<boolean> {
    const { files, editors } = this.options;
    if (editors.unsavedText(location) !== undefined) return false;
    try {
      return isSameVersion(await versionOf(await files.read(location)), to);
    } catch {
      // It cannot even be read: it is told of as left alone.
      return false;
    }
  }

  private perform(chatId: string, steps: readonly Step[], commit: () => Promise<void>): Promise<Restored> {
    return this.options.gate.pass(async () => {
      const { journal, store } = this.options;
      // What cannot be logged would not be known to have happened.
      if (store.isReadOnly) {
        throw new ReadOnlyError(
          defineMessage('Another window is writing to these conversations: restore the files there.'),
        );
      }
      const restoreId = crypto.randomUUID();
      const changing = steps.filter(
        ({ from, to, unsaved }) => unsaved !== undefined || !isSameVersion(from, to),
      );
      await this.stage(changing);
      const record = recordOf(restoreId, chatId, changing);
      let isLogged = false;
      await journal.begin(record);
      try {
        for (const { location, unsaved } of changing) {
          if (unsaved !== undefined) await this.options.editors.discard(location);
        }
        await this.apply(restoreId, changing);
        for (const { location, to } of changing) await this.verify(location, to);
        // The log has it before the conversation moves: after a crash it is known that the files were right.
        await this.log(chatId, restoreId, steps, 'standAfter');
        isLogged = true;
        await commit();
      } catch (error) {
        // Under another id than the log knows, so that a crash from here on is not taken for the end of it.
        if (isLogged) await journal.begin({ ...record, restoreId: crypto.randomUUID() });
        const notPutBack = await this.putBack(restoreId, changing);
        await this.bringBackUnsaved(changing);
        if (isLogged) await this.log(chatId, crypto.randomUUID(), steps, 'standBefore');
        // With files that are not as they were, the journal stays: the next start tries again.
        if (notPutBack.length === 0) await journal.end();
        throw new RestoreFailedError(notPutBack, { cause: error });
      }
      await journal.end();
      await this.bringBackUnsaved(
        steps.map(({ location, unsavedAfter }) => ({ location, unsaved: unsavedAfter })),
      );
      return { chatId, steps, count: changing.length };
    });
  }

  /** Looks once more at everything, and keeps what is about to be replaced, before anything is touched. */
  private async stage(steps: readonly Step[]): Promise<void> {
    const { files, store } = this.options;
    for (const { location, from, to } of steps) {
      const current = await files.read(location);
      if (!isSameVersion(await versionOf(current), from)) throw new FileChangedError(location.path);
      if (current) await store.blobs.put(current.bytes);
      if (to && !(await contentOf(to, store.blobs))) throw new VersionLostError(location.path);
    }
  }

  /** What goes is taken away first: a file may stand where another shall have a folder. */
  private async apply(tag: string, steps: readonly Step[]): Promise<void> {
    const goes = steps.filter(({ to }) => to === null);
    for (const step of goes) await this.applyOne(tag, step);
    await this.removeFoldersOf(goes);
    for (const step of steps) if (step.to !== null) await this.applyOne(tag, step);
  }

  private async applyOne(tag: string, { location, from, to }: Step): Promise<void> {
    // Somebody may have saved it since it was looked at.
    await this.verify(location, from, FileChangedError);
    await this.put(tag, location, from, to);
  }

  /** Removes the folders tools made for these files, innermost first, as far as nothing is in them. */
  private async removeFoldersOf(steps: readonly Pick<Step, 'location' | 'madeFolders'>[]): Promise<void> {
    const folders = new Map(
      steps.flatMap(({ location: { folder }, madeFolders }) =>
        madeFolders.map((path) => [keyOf({ folder, path }), { folder, path }] as const),
      ),
    );
    const innermostFirst = [...folders.values()].sort((a, b) => b.path.length - a.path.length);
    for (const each of innermostFirst) await this.options.files.removeEmptyFolder(each);
  }

  /** @param before what the file holds, looked at once more right before it is replaced */
  private async put(
    tag: string,
    location: FileLocation,
    before: FileVersion | null,
    version: FileVersion | null,
  ): Promise<void> {
    const { files, store } = this.options;
    const expected = { hash: before?.hash ?? null };
    if (version === null) return files.remove(location, expected);
    const content = await contentOf(version, store.blobs);
    if (!content) throw new VersionLostError(location.path);
    await files.write(location, content, tag, expected);
  }

  private async verify(
    location: FileLocation,
    expected: FileVersion | null,
    failure: new (path: string) => Error = NotWrittenError,
  ): Promise<void> {
    const found = await versionOf(await this.options.files.read(location));
    if (!isSameVersion(found, expected)) throw new failure(location.path);
  }

  /** @returns the paths of those that are not as they were */
  private async putBack(
    tag: string,
    steps: readonly Pick<Step, 'location' | 'from' | 'to' | 'madeFolders'>[],
  ): Promise<string[]> {
    const failed: string[] = [];
    const goes = steps.filter(({ from }) => from === null);
    const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch {
        // Named to the user; the others are still put back.
        failed.push(path);
      }
    };
    for (const step of goes) await attempt(step.location.path, () => this.putOneBack(tag, step));
    await attempt(goes[0]?.location.path ?? '', () => this.removeFoldersOf(goes));
    for (const step of steps) {
      if (step.from !== null) await attempt(step.location.path, () => this.putOneBack(tag, step));
    }
    return failed;
  }

  private async putOneBack(
    tag: string,
    { location, from, to }: Pick<Step, 'location' | 'from' | 'to'>,
  ): Promise<void> {
    const { files } = this.options;
    await files.sweep(location, tag);
    const current = await versionOf(await files.read(location));
    if (isSameVersion(current, from)) return;
    // Not what this restore wrote: somebody else was here, and keeps what he did.
    if (!isSameVersion(current, to)) throw new FileChangedError(location.path);
    await this.put(tag, location, current, from);
    await this.verify(location, from);
  }

  private async bringBackUnsaved(
    files: readonly { location: FileLocation; unsaved?: string | undefined }[],
  ): Promise<void> {
    for (const { location, unsaved } of files) {
      if (unsaved !== undefined) await this.options.editors.bringBack(location, unsaved);
    }
  }

  private async log(
    chatId: string,
    restoreId: string,
    steps: readonly Step[],
    stand: 'standBefore' | 'standAfter',
  ): Promise<void> {
    const { store, logRestored, now = Date.now } = this.options;
    if (steps.length === 0) return;
    const history = await FileHistory.read(store, chatId);
    const details = filesRestoredDetails({
      restoreId,
      at: history.nextMoment(now()),
      files: steps.map((step) => ({
        ...step.location,
        ...step[stand],
        // What was on the disk and nobody else has the bytes of.
        ...(isSameVersion(step.from, step.standBefore.version) ? {} : { replaced: step.from }),
      })),
    });
    await logRestored(chatId, details);
  }
}

function recordOf(restoreId: string, chatId: string, steps: readonly Step[]): RestoreRecord {
  const recorded = steps.map(({ location, from, to, madeFolders, unsaved }) => ({
    ...location,
    ...{ from, to },
    madeFolders: [...madeFolders],
    ...(unsaved === undefined ? {} : { unsaved }),
  }));
  return { restoreId, chatId, steps: recorded };
}

function reversed(step: Step): Step {
  const { from, to, standBefore, standAfter, unsaved } = step;
  return {
    ...step,
    from: to,
    to: from,
    unsaved: undefined,
    unsavedAfter: unsaved,
    standBefore: standAfter,
    standAfter: standBefore,
  };
}
