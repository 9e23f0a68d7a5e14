import { ReadOnlyError } from '../engine/errors.ts';
import type { FileVersion } from '../engine/effects.ts';
import type { JsonObject } from '../engine/json.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import {
  WorkspaceFileError,
  type FileLocation,
  type RecoveredWrite,
  type WorkspaceFiles,
} from '../host/workspaceFiles.ts';
import { RestoreFailedError } from './restoreErrors.ts';
import { FileHistory, filesRestoredDetails } from './fileHistory.ts';
import type { Sequencer } from '../base/sequencer.ts';
import {
  canBeChosen,
  inspectPlan,
  type InspectedFile,
  type InspectedPlan,
  type InspectOptions,
  type OpenEditors,
} from './inspectFiles.ts';
import type { RestoreJournal, RestoreRecord } from './restoreJournal.ts';
import { planRestore } from './restorePlan.ts';
import { reversed, StepWriter, type RestoreStep } from './stepWriter.ts';
import { contentAt, isSameVersion, versionOf } from './contentVersion.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

export interface RestorerOptions {
  readonly store: ReadonlyStore;
  /** Records in the chat's log that its files were restored: this makes the restore effective. */
  readonly logRestored: (chatId: string, details: JsonObject) => Promise<void>;
  readonly files: WorkspaceFiles;
  readonly editors: OpenEditors;
  readonly journal: RestoreJournal;
  readonly sequencer: Sequencer;
  /** In bytes. */
  readonly maxFileSize: () => number;
  /** Whether the editor treats a file as read-only. */
  readonly isReadOnly: (file: FileLocation) => boolean;
  readonly now?: () => number;
}

/** Files that were restored to another point, and what is needed to undo that. */
export interface Restored {
  readonly chatId: string;
  readonly steps: readonly RestoreStep[];
  /** How many files have new content. */
  readonly count: number;
}

export interface RecoveredRestore {
  readonly outcome: 'undone' | 'completed' | 'damaged';
  readonly count: number;
  /** Files that were changed in the meantime and skipped, or could not be put back. */
  readonly notPutBack: readonly string[];
}

/**
 * Restores workspace files to another point of a conversation: all chosen files or none. Written content is read back
 * before it counts, and a file that changed after its inspection is never overwritten.
 */
export class Restorer {
  private readonly writer: StepWriter;

  constructor(private readonly options: RestorerOptions) {
    this.writer = new StepWriter(options.files, options.store.blobs);
  }

  /** Changes nothing. @param messageId null: before the first message */
  async preview(chatId: string, messageId: string | null): Promise<InspectedPlan> {
    const { store } = this.options;
    const history = await FileHistory.read(store, chatId);
    const plan = await planRestore(history, messageId, async (id) =>
      id === null ? [] : (await store.getPath(chatId, id)).map((message) => message.id),
    );
    return inspectPlan(plan, this.inspectOptions());
  }

  /** Previews files with other content at the same message; skips those that no tool of the chat changed. */
  async previewVersions(
    chatId: string,
    messageId: string | null,
    wanted: readonly { readonly location: FileLocation; readonly version: FileVersion | null }[],
  ): Promise<InspectedPlan> {
    const history = await FileHistory.read(this.options.store, chatId);
    const planned = wanted.flatMap(({ location, version }) => {
      const stand = history.standOf(location);
      const madeFolders = history.madeFoldersOf(location);
      return stand ? [{ location, stand, target: version, madeFolders, isMixed: false }] : [];
    });
    return inspectPlan({ messageId, files: planned }, this.inspectOptions());
  }

  /**
   * @param commit runs when all files are right, before the restore takes effect; if it fails, the files are put back
   * @throws RestoreFailedError when nothing was restored
   */
  async restore(
    chatId: string,
    { messageId }: InspectedPlan,
    chosen: readonly InspectedFile[],
    commit: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Restored> {
    const steps = chosen.filter(canBeChosen).map(({ planned, current }): RestoreStep => {
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

  /** Skips files changed since, and returns their paths. @throws RestoreFailedError when nothing was undone */
  async undo({ chatId, steps }: Restored, commit?: () => Promise<void>): Promise<string[]> {
    const left: string[] = [];
    const back: RestoreStep[] = [];
    for (const step of steps) {
      if (await this.isUntouched(step)) back.push(reversed(step));
      else left.push(step.location.path);
    }
    await this.perform(chatId, back, commit ?? (() => Promise.resolve()));
    return left;
  }

  /** Takes back the writes of files that a crash interrupted. Goes before {@link recover}. */
  recoverWrites(): Promise<readonly RecoveredWrite[]> {
    const { files, sequencer } = this.options;
    return sequencer.run(() => files.recover());
  }

  /** Undoes a restore that a crash interrupted. */
  async recover(): Promise<RecoveredRestore | undefined> {
    const { journal, sequencer } = this.options;
    return sequencer.run(async () => {
      const record = await journal.left();
      if (record === undefined) return undefined;
      if (record === 'damaged') return { outcome: 'damaged', count: 0, notPutBack: [] };
      const { steps } = record;
      if (await this.isCommitted(record)) {
        await journal.end();
        return { outcome: 'completed', count: steps.length, notPutBack: [] };
      }
      const taken = steps.map(({ folder, path, ...step }) => ({ location: { folder, path }, ...step }));
      const notPutBack = await this.writer.putBack(record.restoreId, taken);
      await this.bringBackUnsaved(taken);
      await journal.end();
      return { outcome: 'undone', count: steps.length, notPutBack };
    });
  }

  private inspectOptions(): InspectOptions {
    const { store, files, editors, maxFileSize, isReadOnly } = this.options;
    return { files, editors, blobs: store.blobs, maxFileSize: maxFileSize(), isReadOnly };
  }

  private async isCommitted({ chatId, restoreId }: RestoreRecord): Promise<boolean> {
    const { store } = this.options;
    return (await FileHistory.read(store, chatId)).hasRestored(restoreId);
  }

  private async isUntouched({ location, from, to }: RestoreStep): Promise<boolean> {
    const { files, editors } = this.options;
    try {
      if (editors.unsavedText(location) !== undefined) return false;
      return isSameVersion(await versionOf(await contentAt(files, location, from, to)), to);
    } catch (error) {
      // Behind a link there is nothing of the workspace. What cannot be read is reported as skipped.
      return to === null && error instanceof WorkspaceFileError && error.code === 'outside-workspace';
    }
  }

  private perform(
    chatId: string,
    steps: readonly RestoreStep[],
    commit: () => Promise<void>,
  ): Promise<Restored> {
    return this.options.sequencer.run(async () => {
      const { journal, store } = this.options;
      // A restore that cannot be logged would be unknown later.
      if (store.isReadOnly) {
        throw new ReadOnlyError(
          defineMessage(
            'These conversations can’t be written to now, so no files were restored. Try again later.',
          ),
        );
      }
      const restoreId = crypto.randomUUID();
      const changing = steps.filter(
        ({ from, to, unsaved }) => unsaved !== undefined || !isSameVersion(from, to),
      );
      await this.writer.stage(changing);
      const record = recordOf(restoreId, chatId, changing);
      let isLogged = false;
      await journal.begin(record);
      try {
        for (const { location, unsaved } of changing) {
          if (unsaved !== undefined) await this.options.editors.discard(location);
        }
        await this.writer.apply(restoreId, changing);
        await this.writer.verifyAll(changing);
        // Log before the conversation moves: after a crash it is then known that the files were right.
        await this.log(chatId, restoreId, steps, 'standAfter');
        isLogged = true;
        await commit();
      } catch (error) {
        // With an id unknown to the log, so that a crash from here on is not mistaken for a finished restore.
        if (isLogged) await journal.begin({ ...record, restoreId: crypto.randomUUID() });
        const notPutBack = await this.writer.putBack(restoreId, changing);
        await this.bringBackUnsaved(changing);
        if (isLogged) await this.log(chatId, crypto.randomUUID(), steps, 'standBefore');
        // If files could not be put back, the journal stays: the next start tries again.
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
    steps: readonly RestoreStep[],
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
        // Content on disk whose bytes are stored nowhere else.
        ...(isSameVersion(step.from, step.standBefore.version) ? {} : { replaced: step.from }),
      })),
    });
    await logRestored(chatId, details);
  }
}

function recordOf(restoreId: string, chatId: string, steps: readonly RestoreStep[]): RestoreRecord {
  const recorded = steps.map(({ location, from, to, madeFolders, unsaved }) => ({
    ...location,
    from,
    to,
    madeFolders: [...madeFolders],
    ...(unsaved === undefined ? {} : { unsaved }),
  }));
  return { restoreId, chatId, steps: recorded };
}
