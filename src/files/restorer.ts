import { ReadOnlyError } from '../engine/errors.ts';
import type { FileVersion } from '../engine/effects.ts';
import type { JsonObject } from '../engine/json.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { ViewedBy } from '../engine/users.ts';
import { type FileLocation, type RecoveredWrite, type WorkspaceFiles } from '../host/workspaceFiles.ts';
import { RestoreFailedError } from './restoreErrors.ts';
import { endOf, newDecision, stateBefore, type NewDecision, type NewPoint } from './fileDecision.ts';
import { FileHistory, type FileStand, type PathMessage, type PointTime } from './fileHistory.ts';
import {
  recordDetails,
  type BranchFilesKept,
  type LoggedFile,
  type RecordedState,
  type FileRecord,
  type RestoreReason,
} from './fileRecords.ts';
import type { Sequencer } from '../base/sequencer.ts';
import {
  canBeChosen,
  inspectPlan,
  isReady,
  type InspectedFile,
  type InspectedPlan,
  type InspectOptions,
  type OpenEditors,
} from './inspectFiles.ts';
import type { RestoreJournal, RestoreRecord } from './restoreJournal.ts';
import { planRestore, type PlannedFile, type RestorePlan } from './restorePlan.ts';
import type { RestoreStep } from './stepWriter.ts';
import { isSameVersion, keyOf } from './contentVersion.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

export interface RestorerOptions {
  readonly store: ReadonlyStore;
  /** Whose active branch counts. */
  readonly by?: ViewedBy | undefined;
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
  /** Which files follow the conversation to a point. Default: all. */
  readonly follows?: (
    chatId: string,
    messageId: string | null,
  ) => Promise<((file: FileLocation) => boolean) | undefined>;
  /** Has a branch work in the workspace, or with its own files again. */
  readonly onBranchFiles?: (chatId: string, kept: BranchFilesKept) => Promise<void>;
}

/** Of how many restores the discarded texts of editors are kept. */
const MAX_DISCARDED = 50;

/** Files that were restored to another point. */
export interface Restored {
  readonly chatId: string;
  /** Names its entry in the log; there is none if no file was chosen. */
  readonly restoreId: string;
  /** How many files have new content. */
  readonly count: number;
}

/** Where a move of files leads, where the message alone does not say it. */
export interface Goal {
  readonly branch?: string | undefined;
  /** For a checkpoint: when it was set. */
  readonly before?: number | undefined;
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
  /** By restore, the texts of editors that it discarded, to put them back when it is undone. */
  private readonly discarded = new Map<string, ReadonlyMap<string, string>>();

  constructor(private readonly options: RestorerOptions) {}

  /** Changes nothing. @param messageId null: before the first message */
  async preview(chatId: string, messageId: string | null, goal: Goal = {}): Promise<InspectedPlan> {
    const { store, by } = this.options;
    const history = await FileHistory.read(store, chatId);
    const active = history.stands.length === 0 ? undefined : await store.getActiveBranch(chatId, by);
    const when = await this.timeOf(chatId, messageId, goal, history);
    const planned = await planRestore(history, messageId, (id) => this.pathTo(chatId, id), when);
    const follows = planned.length === 0 ? undefined : await this.options.follows?.(chatId, messageId);
    const files = follows ? planned.filter(({ location }) => follows(location)) : planned;
    const leaving = active?.name;
    return this.inspect({ branch: goal.branch ?? leaving, leaving, files });
  }

  /**
   * Previews files with other content as the user's decision. Of those that no tool of the chat changed, only the ones
   * that come with what they hold `now`.
   */
  async previewDecision(
    chatId: string,
    wanted: readonly {
      readonly location: FileLocation;
      readonly version: FileVersion | null;
      readonly baseline: FileVersion | null;
      readonly now?: FileVersion | null;
    }[],
  ): Promise<InspectedPlan> {
    const { store, by = {} } = this.options;
    const history = await FileHistory.read(store, chatId);
    const { branch, pointOf } = await newDecision(store, chatId, history, by);
    const files = wanted.flatMap(({ location, version, baseline, now }): PlannedFile[] => {
      const point = pointOf(location);
      const { messageId } = point;
      const first = {
        location,
        messageId,
        decision: undefined,
        version: now ?? null,
        baseline: now ?? null,
        at: 0,
      };
      const stand = history.standOf(location) ?? (now === undefined ? undefined : first);
      const madeFolders = history.madeFoldersOf(location);
      return stand
        ? [{ location, stand, target: version, baseline, point, madeFolders, isMixed: false }]
        : [];
    });
    return this.inspect({ branch, leaving: branch, files });
  }

  /** Before a move without the files, so that undoing it leaves them as well. */
  async leave(chatId: string): Promise<void> {
    const { store, logRestored, now = Date.now } = this.options;
    const history = await FileHistory.read(store, chatId);
    const details = { restoreId: crypto.randomUUID(), at: history.nextMoment(now()), files: [] };
    await logRestored(chatId, recordDetails({ ...details, why: 'stay' }));
  }

  /** The entries of the log of which something can be reversed: a file is still where it was left then. */
  async reversible(chatId: string, sequences: readonly number[]): Promise<ReadonlySet<number>> {
    const { store } = this.options;
    const history = await FileHistory.read(store, chatId);
    if (history.stands.length === 0) return new Set();
    const records = history.records.filter(({ sequence, record }) => {
      return sequences.includes(sequence) && record.files.some((file) => standLeftBy(file, history));
    });
    return new Set(records.map(({ sequence }) => sequence));
  }

  /**
   * Reverses what entries of the log did to files that are still where they were left then; other entries are ignored.
   * With a move, the other files go to their states on its branch. What others changed since is skipped.
   * @returns the paths of what was skipped
   */
  async reverse(chatId: string, sequences: readonly number[], move?: BranchMove): Promise<string[]> {
    const { store, by = {} } = this.options;
    const history = await FileHistory.read(store, chatId);
    const { records } = history;
    const decision = await newDecision(store, chatId, history, by);
    const reversed = records
      .filter(({ sequence }) => sequences.includes(sequence))
      .toReversed()
      .flatMap(({ record }) =>
        record.files.flatMap((file) => this.reversal(record, file, history, move ? undefined : decision)),
      );
    const leaving = decision.branch;
    const back = await this.inspect({ branch: leaving, leaving, files: reversed });
    const plan = move && (await this.preview(chatId, move.messageId, { branch: move.branch }));
    const isReversed = new Set(reversed.map(({ location }) => keyOf(location)));
    const others = (plan?.files ?? []).filter(({ planned }) => !isReversed.has(keyOf(planned.location)));
    // What needs a choice was chosen when it was done.
    const chosen = [
      ...back.files.filter(({ state }) => state === 'ready' || state === 'there'),
      ...others.filter(isReady),
    ];
    const where = { branch: move?.branch ?? leaving, leaving };
    const { branchFilesBefore } = await this.loadWriter();
    const branchFiles = branchFilesBefore(records, sequences);
    const how = move ? { why: 'move' as const, commit: move.go } : {};
    await this.restore(chatId, where, chosen, { ...how, branchFiles });
    const skipped = [...back.files, ...others].filter((file) => !chosen.includes(file));
    return skipped.map(({ planned }) => planned.location.path);
  }

  /**
   * @param commit runs when all files are right, before the restore takes effect; if it fails, the files are put back
   * @throws RestoreFailedError when nothing was restored
   */
  async restore(
    chatId: string,
    { branch, leaving }: Pick<InspectedPlan, 'branch' | 'leaving'>,
    chosen: readonly InspectedFile[],
    {
      why,
      branchFiles,
      commit = () => Promise.resolve(),
    }: {
      readonly why?: RestoreReason;
      readonly branchFiles?: BranchFilesKept | undefined;
      readonly commit?: () => Promise<void>;
    } = {},
  ): Promise<Restored> {
    const steps = chosen.filter(canBeChosen).map(({ planned, current }): RestoreStep => {
      const { location, target, left = target, baseline, point, madeFolders } = planned;
      const { messageId, decision, after } = point;
      return {
        location,
        from: current,
        to: target,
        madeFolders,
        unsaved: this.options.editors.unsavedText(location),
        standAfter: {
          messageId,
          ...(decision === undefined ? {} : { decision }),
          ...(after === undefined ? {} : { after }),
          version: left,
          baseline,
        },
        standBefore: stateBefore(planned),
        unsavedAfter: planned.unsaved,
      };
    });
    return this.perform(chatId, { branch, leaving, why, branchFiles }, steps, async () => {
      if (branchFiles) await this.options.onBranchFiles?.(chatId, branchFiles);
      await commit();
    });
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
      const { writer } = await this.loadWriter();
      const notPutBack = await writer.putBack(record.restoreId, taken);
      await this.bringBackUnsaved(taken);
      await journal.end();
      return { outcome: 'undone', count: steps.length, notPutBack };
    });
  }

  /** The first view of a conversation writes no files. */
  private async loadWriter() {
    const { branchFilesBefore, reversed, StepWriter } = await import('./stepWriter.ts');
    return {
      branchFilesBefore,
      reversed,
      writer: new StepWriter(this.options.files, this.options.store.blobs),
    };
  }

  private inspectOptions(): InspectOptions {
    const { store, files, editors, maxFileSize, isReadOnly } = this.options;
    return { files, editors, blobs: store.blobs, maxFileSize: maxFileSize(), isReadOnly };
  }

  /** The file as it stands before an entry again. */
  private reversal(
    record: FileRecord['record'],
    file: LoggedFile,
    history: FileHistory,
    here: NewDecision | undefined,
  ): PlannedFile[] {
    const stand = standLeftBy(file, history);
    if (!stand || !('version' in file) || !file.from) return [];
    const { location } = stand;
    const { version, baseline = version } = file.from;
    const unsaved = 'restoreId' in record ? this.discarded.get(record.restoreId) : undefined;
    return [
      {
        location,
        stand,
        target: file.replaced === undefined ? version : file.replaced,
        left: version,
        baseline,
        point: pointBefore({ ...file, from: file.from }, here?.pointOf(location)),
        madeFolders: history.madeFoldersOf(location),
        isMixed: false,
        unsaved: unsaved?.get(keyOf(location)),
      },
    ];
  }

  private async inspect(plan: RestorePlan & Pick<Where, 'leaving'>): Promise<InspectedPlan> {
    return { ...(await inspectPlan(plan, this.inspectOptions())), leaving: plan.leaving };
  }

  private async pathTo(chatId: string, id: string | null): Promise<readonly PathMessage[]> {
    return id === null ? [] : this.options.store.getPath(chatId, id);
  }

  /** Until when decisions at a message count: on the branch it leads to, or else on the one that leads there now. */
  private async timeOf(
    chatId: string,
    messageId: string | null,
    { branch: name, before }: Goal,
    history: FileHistory,
  ): Promise<PointTime> {
    const always = { before: Number.POSITIVE_INFINITY };
    if (!history.hasDecisions) return always;
    if (before !== undefined) return { before };
    const { store, by } = this.options;
    if (name !== undefined) {
      const { createdAt = Number.POSITIVE_INFINITY } = (await store.getBranch(chatId, name, by)) ?? {};
      return endOf(store, { chatId, name, createdAt });
    }
    const active = await store.getActiveBranch(chatId, by);
    const other = messageId === null ? undefined : await store.findBranchWith(chatId, messageId, by);
    for (const branch of [active, other]) {
      if (!branch) continue;
      if (branch.headMessageId === messageId) return endOf(store, branch);
      const path = await this.pathTo(chatId, branch.headMessageId);
      const place = messageId === null ? -1 : path.findIndex(({ id }) => id === messageId);
      const next = place < 0 && messageId !== null ? undefined : path[place + 1];
      if (next) return { before: next.createdAt };
    }
    return always;
  }

  private async isCommitted({ chatId, restoreId }: RestoreRecord): Promise<boolean> {
    const { store } = this.options;
    return (await FileHistory.read(store, chatId)).hasRestored(restoreId);
  }

  private perform(
    chatId: string,
    where: Where,
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
      const { reversed, writer } = await this.loadWriter();
      await writer.stage(changing);
      const record = recordOf(restoreId, chatId, changing);
      let isLogged = false;
      await journal.begin(record);
      try {
        for (const { location, unsaved } of changing) {
          if (unsaved !== undefined) await this.options.editors.discard(location);
        }
        await writer.apply(restoreId, changing);
        await writer.verifyAll(changing);
        // Log before the conversation moves: after a crash it is then known that the files were right.
        await this.log(chatId, restoreId, where, steps);
        isLogged = true;
        await commit();
      } catch (error) {
        // With an id unknown to the log, so that a crash from here on is not mistaken for a finished restore.
        if (isLogged) await journal.begin({ ...record, restoreId: crypto.randomUUID() });
        const notPutBack = await writer.putBack(restoreId, changing);
        await this.bringBackUnsaved(changing);
        if (isLogged) {
          const back = { branch: where.leaving, leaving: where.leaving, why: undefined };
          await this.log(chatId, crypto.randomUUID(), back, steps.map(reversed));
        }
        // If files could not be put back, the journal stays: the next start tries again.
        if (notPutBack.length === 0) await journal.end();
        throw new RestoreFailedError(notPutBack, { cause: error });
      }
      await journal.end();
      this.keepDiscarded(restoreId, changing);
      await this.bringBackUnsaved(
        steps.map(({ location, unsavedAfter }) => ({ location, unsaved: unsavedAfter })),
      );
      return { chatId, restoreId, count: changing.length };
    });
  }

  private keepDiscarded(restoreId: string, steps: readonly RestoreStep[]): void {
    const texts = steps.flatMap(({ location, unsaved }) =>
      unsaved === undefined ? [] : [[keyOf(location), unsaved] as const],
    );
    if (texts.length === 0) return;
    this.discarded.set(restoreId, new Map(texts));
    const [oldest] = this.discarded.keys();
    if (this.discarded.size > MAX_DISCARDED && oldest !== undefined) this.discarded.delete(oldest);
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
    { branch, why, branchFiles }: Where,
    steps: readonly RestoreStep[],
  ): Promise<void> {
    const { store, logRestored, now = Date.now } = this.options;
    if (steps.length === 0) return;
    const history = await FileHistory.read(store, chatId);
    const details = recordDetails({
      restoreId,
      at: history.nextMoment(now()),
      ...(branch === undefined ? {} : { branch }),
      why,
      ...(branchFiles ? { branchFiles } : {}),
      files: steps.map((step) => ({
        ...step.location,
        ...step.standAfter,
        from: step.standBefore,
        // Content on disk whose bytes are stored nowhere else.
        ...(isSameVersion(step.from, step.standBefore.version) ? {} : { replaced: step.from }),
      })),
    });
    await logRestored(chatId, details);
  }
}

interface Where {
  readonly branch: string | undefined;
  readonly leaving: string | undefined;
  readonly why: RestoreReason | undefined;
  readonly branchFiles?: BranchFilesKept | undefined;
}

/** A move of the conversation to a branch, together with files. */
export interface BranchMove {
  readonly branch: string;
  /** Its head. */
  readonly messageId: string | null;
  readonly go: () => Promise<void>;
}

/** The stand of a file of an entry, if it is still as it was left then. */
function standLeftBy(file: LoggedFile, history: FileHistory): FileStand | undefined {
  // In earlier logs.
  if (!('version' in file) || !file.from) return undefined;
  const stand = history.standOf(file);
  const { version, baseline = version } = file;
  const isThere = stand && isSameVersion(stand.version, version) && isSameVersion(stand.baseline, baseline);
  return isThere ? stand : undefined;
}

/** A decision that is reversed is one of its own where the conversation went on since. */
function pointBefore(
  { messageId, decision, from }: RecordedState & { readonly from: RecordedState },
  here: NewPoint | undefined,
): PlannedFile['point'] {
  const isMove = !here || messageId !== from.messageId;
  const isLast = here?.messageId === messageId && decision === (here.after ?? undefined);
  return isMove || isLast ? { messageId: from.messageId, decision: from.decision } : here;
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
