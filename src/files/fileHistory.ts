import type { FileChange, FileVersion } from '../engine/effects.ts';
import { ChatNotFoundError } from '../engine/errors.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { MessageFiles } from '../engine/store.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import { isSameVersion, keyOf } from './contentVersion.ts';
import { readFileRecords, type FileRecord, type LoggedFile } from './fileRecords.ts';

/** A point of the conversation, as far as a file is concerned. */
export interface FilePoint {
  /** Null: before the first message. */
  readonly messageId: string | null;
  /** The last decision of the user at this message that counts. */
  readonly decision: string | undefined;
}

/** A file's position: the point of the conversation it was last left at, and its state there. */
export interface FileStand extends FilePoint {
  readonly location: FileLocation;
  readonly version: FileVersion | null;
  /** What its edits are compared with; the same as `version` where there is nothing to review. */
  readonly baseline: FileVersion | null;
  readonly at: number;
}

/** What happened to a file at one point of a path: a tool changed it, or the user kept or undid edits of it. */
export interface FileEvent {
  readonly at: number;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
  /** The new baseline, if the user decided. */
  readonly baseline?: FileVersion | null;
}

interface Decision extends FileEvent {
  readonly id: string;
  /** The one before it at the same message. */
  readonly follows: string | undefined;
}

/** A file was left at a message, with these decisions. */
interface Visit extends FilePoint {
  readonly branch: string | undefined;
  readonly createdAt: number;
}

/** Until when decisions at a message count: all of a branch that ends there, or those before what follows it. */
export type PointTime = { readonly branch: string; readonly madeAt: number } | { readonly before: number };

/** A message on a path. */
export interface PathMessage {
  readonly id: string;
  readonly createdAt: number;
}

export type FileHistoryStore = Pick<ReadonlyStore, 'listEvents' | 'listFileChanges'>;

interface KnownFile {
  stand: FileStand;
  /** The results of edits that need review, for logs that do not say what edits are compared with. */
  edits: (FileVersion | null)[];
  readonly decisions: Map<string, Decision>;
  readonly visits: Visit[];
}

/**
 * The file changes of one chat's tools and the user's decisions about them, and the current position of each file. Read
 * only from the store: a chat can be rewound without its files and answers may continue on hidden branches, but each
 * file has one position.
 *
 * A decision belongs to the message at the head of the branch where it was made. It counts for what follows that
 * message later, and for branches that are made from there later.
 */
export class FileHistory {
  private readonly changes = new Map<string, readonly FileChange[]>();
  private readonly files = new Map<string, KnownFile>();
  private readonly restoreIds = new Set<string>();
  /** By file, all content from tools or restores by its kind and hash; `null` for no file. */
  private readonly left = new Map<string, Set<string | null>>();
  private readonly folders = new Set<string>();
  private latest = 0;

  private constructor(
    messages: readonly MessageFiles[],
    /** The entries of the log about files, oldest first. */
    readonly records: readonly FileRecord[],
  ) {
    const moments: { readonly at: number; readonly happen: () => void }[] = [];
    for (const { messageId, files } of messages) {
      this.changes.set(messageId, files);
      for (const change of files) {
        const { folder, before, at, madeFolders = [] } = change;
        // The content before the first change is the user's own, and kept with it.
        if (!this.left.has(keyOf(change))) this.remember(change, before);
        for (const made of madeFolders) this.folders.add(keyOf({ folder, path: made }));
        moments.push({ at, happen: () => this.change(messageId, change) });
      }
    }
    for (const record of records) {
      if ('restoreId' in record.record) this.restoreIds.add(record.record.restoreId);
      moments.push({ at: record.record.at, happen: () => this.recall(record) });
    }
    for (const { at, happen } of moments.toSorted((a, b) => a.at - b.at)) {
      happen();
      this.latest = Math.max(this.latest, at);
    }
  }

  static async read(store: FileHistoryStore, chatId: string): Promise<FileHistory> {
    try {
      const read = [store.listFileChanges(chatId), readFileRecords(store, chatId)] as const;
      return new FileHistory(...(await Promise.all(read)));
    } catch (error) {
      // A chat does not exist before its first question.
      if (error instanceof ChatNotFoundError) return new FileHistory([], []);
      throw error;
    }
  }

  /** Every file that a tool of this chat ever changed, or that the user took from the files of a branch. */
  get stands(): readonly FileStand[] {
    return [...this.files.values()].map(({ stand }) => stand);
  }

  get hasDecisions(): boolean {
    return [...this.files.values()].some(({ decisions }) => decisions.size > 0);
  }

  /** Undefined when no tool of this chat ever changed the file. */
  standOf(location: FileLocation): FileStand | undefined {
    return this.files.get(keyOf(location))?.stand;
  }

  changesOf(messageId: string): readonly FileChange[] {
    return this.changes.get(messageId) ?? [];
  }

  /** Whether there are decisions about a file at a message: then where it is left there matters later. */
  wasDecidedAt(location: FileLocation, messageId: string | null): boolean {
    const visits = this.files.get(keyOf(location))?.visits ?? [];
    return visits.some((visit) => visit.messageId === messageId && visit.decision !== undefined);
  }

  /** The last decision about a file at a message that counts for a time. */
  decisionAt(location: FileLocation, messageId: string | null, when: PointTime): string | undefined {
    const visits = this.files.get(keyOf(location))?.visits ?? [];
    return visits.findLast((visit) => visit.messageId === messageId && isWithin(visit, when))?.decision;
  }

  /** The decisions about a file up to one, in order. */
  decisionsUpTo(location: FileLocation, id: string | undefined): FileEvent[] {
    const known = this.files.get(keyOf(location))?.decisions;
    const decisions: Decision[] = [];
    for (let next = id === undefined ? undefined : known?.get(id); next;) {
      decisions.push(next);
      next = next.follows === undefined ? undefined : known?.get(next.follows);
    }
    return decisions.reverse();
  }

  /** The messages where the user decided about a file. */
  decidedAt(location: FileLocation): ReadonlySet<string | null> {
    const visits = this.files.get(keyOf(location))?.visits ?? [];
    return new Set(visits.filter(({ decision }) => decision !== undefined).map(({ messageId }) => messageId));
  }

  /** The parent folders of a file that a tool created, outermost first. */
  madeFoldersOf({ folder, path }: FileLocation): string[] {
    const parts = path.split('/');
    const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
    return above.filter((each) => this.folders.has(keyOf({ folder, path: each })));
  }

  /** Whether a tool or a restore ever left this content in the file: then it is stored, and cannot be lost. */
  wasLeft(location: FileLocation, version: FileVersion | null): boolean {
    return this.left.get(keyOf(location))?.has(contentKey(version)) ?? false;
  }

  /** A time after all known events, so that a new event is the latest. */
  nextMoment(now: number): number {
    return Math.max(now, this.latest + 1);
  }

  hasRestored(restoreId: string): boolean {
    return this.restoreIds.has(restoreId);
  }

  private change(messageId: string, change: FileChange): void {
    const { folder, path, after: version, at } = change;
    const location = { folder, path };
    const known = this.files.get(keyOf(location));
    const baseline = baselineAfter(known?.stand, { ...change, baseline: undefined });
    const isFirst = !known || isSameVersion(known.stand.baseline, known.stand.version);
    const edits = isFirst ? [version] : [...known.edits, version];
    const stand = { location, messageId, decision: undefined, version, baseline, at };
    this.remember(location, version);
    this.files.set(keyOf(location), {
      stand,
      edits,
      decisions: known?.decisions ?? new Map<string, Decision>(),
      visits: known?.visits ?? [],
    });
  }

  private recall({ record, branch, createdAt, sequence }: FileRecord): void {
    for (const file of record.files) {
      const { folder, path } = file;
      const location = { folder, path };
      const known = this.files.get(keyOf(location)) ?? this.firstDecided(location, file);
      if (!known) continue;
      const { stand } = known;
      if (!('messageId' in file)) {
        const { baseline = stand.version } = file;
        const { messageId, decision: follows, version } = stand;
        const id = `earlier ${sequence}`;
        const event = { at: record.at, before: version, after: version, baseline };
        known.decisions.set(id, { id, follows, ...event });
        known.visits.push({ messageId, decision: id, branch, createdAt });
        known.stand = { ...stand, decision: id, baseline };
        if (isSameVersion(baseline, version)) known.edits = [];
        continue;
      }
      const { messageId, decision, version, after } = file;
      const baseline = file.baseline === undefined ? earlierBaseline(known, version) : file.baseline;
      if (decision !== undefined && after !== undefined) {
        const event = { at: record.at, before: stand.version, after: version, baseline };
        known.decisions.set(decision, { id: decision, follows: after ?? undefined, ...event });
      }
      this.remember(location, version);
      known.visits.push({ messageId, decision, branch, createdAt });
      known.stand = { location, messageId, decision, version, baseline, at: record.at };
    }
  }

  /** No tool changed it, but the user took a change of it from elsewhere. */
  private firstDecided(location: FileLocation, file: LoggedFile): KnownFile | undefined {
    if (!('messageId' in file) || !file.from) return undefined;
    const { messageId, decision, version, baseline = version } = file.from;
    const stand = { location, messageId, decision, version, baseline, at: 0 };
    const known: KnownFile = { stand, edits: [], decisions: new Map(), visits: [] };
    this.remember(location, version);
    this.files.set(keyOf(location), known);
    return known;
  }

  private remember(location: FileLocation, version: FileVersion | null): void {
    const key = keyOf(location);
    const known = this.left.get(key) ?? new Set();
    this.left.set(key, known.add(contentKey(version)));
  }
}

/** What edits are compared with after an event. A later change by others is not the tool's. */
export function baselineAfter(
  known: Pick<FileStand, 'version' | 'baseline'> | undefined,
  { before, baseline }: Pick<FileEvent, 'before'> & { readonly baseline?: FileVersion | null | undefined },
): FileVersion | null {
  if (baseline !== undefined) return baseline;
  return known && !isSameVersion(known.baseline, known.version) ? known.baseline : before;
}

function isWithin({ branch, createdAt }: Visit, when: PointTime): boolean {
  if ('before' in when) return createdAt <= when.before;
  // Earlier logs do not say which branch it was.
  return branch === undefined || branch === when.branch || createdAt <= when.madeAt;
}

/**
 * In earlier logs: content that changed because files followed the conversation is the decision of the user who moved
 * it, unless it is an edit that was undone: that may return, and is then undecided again.
 */
function earlierBaseline(known: KnownFile, version: FileVersion | null): FileVersion | null {
  const { baseline } = known.stand;
  if ([baseline, ...known.edits].some((each) => isSameVersion(each, version))) return baseline;
  known.edits = [];
  return version;
}

function contentKey(version: FileVersion | null): string | null {
  return version && `${version.kind ?? 'file'} ${version.hash}`;
}
