import type { FileVersion } from '../engine/effects.ts';
import { keyOf } from '../files/contentVersion.ts';
import type { CommittedVersion, FilePast } from '../host/committedHistory.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import type { CommittedTexts, RecordedCommit } from './committedTexts.ts';
import type { FileMoment, RecordedEdit } from './recordedFiles.ts';
import { NONE } from './lineMatches.ts';
import { TrackedLine, type LineHunk } from './trackedLines.ts';
import { TrackedText } from './trackedText.ts';

/** The text of a version; undefined where it is no text, or was not kept. */
export type ReadVersion = (version: FileVersion, location: FileLocation) => Promise<string | undefined>;

/** Where the texts of a file come from. */
export interface TextSources {
  readonly read: ReadVersion;
  /** What git has of the file; undefined: it is in no repository. */
  readonly committed?: CommittedTexts | undefined;
}

/** An edit, and what it replaced. */
export interface EditHunks {
  readonly edit: RecordedEdit;
  readonly hunks: readonly LineHunk[];
}

/** The texts of a file, and of those that it is a copy of, as they followed each other. */
export class FileTrack {
  /** By number of a writer, the edit; undefined: it was not a step of a run. */
  readonly writers: (RecordedEdit | undefined)[] = [];
  readonly edits: EditHunks[] = [];
  private readonly texts = new Map<string, TrackedText>();
  /** Which versions these are, where they could be read. */
  private readonly hashes = new Map<string, string>();
  private readonly byHash = new Map<string, TrackedText>();
  /** When that was last known to be there. */
  private readonly times = new Map<string, number>();
  private readonly moments: FileMoment[] = [];
  /** What git said when the moments were followed. */
  private committedState = '';
  private head: CommittedHead = { past: undefined, key: '', count: 0, texts: [] };

  private constructor(
    /** The versions that a file comes back to: only these are kept. */
    private readonly returning: Set<string>,
  ) {}

  /** @param returning versions that are there now, if they were recorded */
  static async of(
    moments: readonly FileMoment[],
    sources: TextSources,
    returning: Iterable<string> = [],
  ): Promise<FileTrack> {
    const track = new FileTrack(new Set([...returningHashes(moments), ...returning]));
    await track.follow(moments, sources);
    return track;
  }

  /**
   * Follows what was recorded since. False: something else was recorded or committed earlier, or a file came back to a
   * version that was not kept, so that it has to be followed from its beginning. Nothing is changed then.
   */
  async followedTo(moments: readonly FileMoment[], sources: TextSources): Promise<boolean> {
    const known = this.moments;
    if (this.committedState !== this.stateOf(sources)) return false;
    if (known.length > moments.length || !known.every((each, index) => isSameMoment(each, moments[index])))
      return false;
    const returning = [...returningHashes(moments)].filter((hash) => !this.returning.has(hash));
    const earlier = new Set(known.flatMap(({ before, after }) => [before?.hash, after?.hash]));
    if (returning.some((hash) => earlier.has(hash))) return false;
    for (const hash of returning) this.returning.add(hash);
    await this.follow(moments.slice(known.length), sources);
    return true;
  }

  /** Whether a version that was recorded is what the file held last, or one of those that were to be kept. */
  knows(location: FileLocation, hash: string): boolean {
    return this.hashes.get(keyOf(location)) === hash || this.returning.has(hash);
  }

  /** Whether {@link followCommits} would find nothing else. */
  hasFollowed(location: FileLocation, committed: CommittedTexts | undefined): boolean {
    const { past, key, count } = this.head;
    return past === committed?.past && (!past || (key === keyOf(location) && count === this.moments.length));
  }

  /**
   * Follows what was committed since, before {@link now} is asked.
   * @param recorded the latest committed version that was recorded as well
   */
  async followCommits(
    location: FileLocation,
    committed: CommittedTexts | undefined,
    recorded: RecordedCommit | undefined,
  ): Promise<void> {
    const key = keyOf(location);
    this.head = { past: undefined, key, count: this.moments.length, texts: [] };
    if (!committed) return;
    this.inherit(location, Infinity, committed);
    const last = this.texts.get(key);
    const isLast = recorded !== undefined && this.hashes.get(key) === recorded.hash;
    const { versions } = committed.past;
    const since = versions.slice((recorded?.index ?? -1) + 1);
    const recent = committed
      .between(location, this.times.get(key) ?? Infinity, Infinity)
      .filter((version) => !isLast || since.includes(version));
    const texts: TrackedText[] = [];
    const by = this.writers.length;
    if (last && recent.length > 0) texts.push(await this.through(last, recent, committed, by));
    const other = recorded && !isLast ? this.byHash.get(recorded.hash) : undefined;
    if (other) texts.push(await this.through(other, since, committed, by));
    this.head = { ...this.head, past: committed.past, texts };
  }

  /** What is in a file now, with the writers of its lines. */
  now(location: FileLocation, text: string, hash: string | undefined): TrackedText {
    const known = hash === undefined ? undefined : this.byHash.get(hash);
    if (known?.text === text) return known;
    // Nothing follows from here: the number is that of no writer.
    const by = this.writers.length;
    const key = keyOf(location);
    const last = this.texts.get(key);
    if (last?.text === text) return last;
    const tracked = this.changedElsewhere(key, last?.copy(), text, by);
    for (const head of this.head.key === key ? this.head.texts : []) {
      if (!isAnyBy(tracked, by)) break;
      const other = head.copy();
      other.changeTo(text, by);
      this.fill(tracked, other);
    }
    return tracked;
  }

  private async follow(moments: readonly FileMoment[], sources: TextSources): Promise<void> {
    for (const moment of moments) {
      for (const [from, to] of sources.committed?.renamesUntil(moment.at) ?? []) this.rename(from, to);
      await this.add(moment, sources);
      this.moments.push(moment);
    }
    this.committedState = this.stateOf(sources);
  }

  private stateOf({ committed }: TextSources): string {
    return committed?.stateUntil(this.moments.at(-1)?.at ?? -Infinity) ?? '';
  }

  private async add(moment: FileMoment, sources: TextSources): Promise<void> {
    const { location, before, after, edit, at } = moment;
    const key = keyOf(location);
    if (!edit) {
      await this.arriveAt(moment, after, sources);
      return;
    }
    // Who wrote what is not known where it can't be read what was there before.
    if (!(await this.arriveAt(moment, before ?? null, sources))) {
      await this.arriveAt(moment, after, sources);
      return;
    }
    if (!after) {
      this.forget(key);
      return;
    }
    // Only who may execute it has changed.
    if (before?.hash === after.hash) return;
    const earlier = this.texts.get(key);
    const renamed = earlier ? undefined : this.byHash.get(after.hash);
    const text = renamed?.text ?? (await sources.read(after, location));
    if (text === undefined) {
      this.hashes.delete(key);
      return;
    }
    const by = this.writers.push(edit) - 1;
    const tracked = renamed?.copy() ?? earlier ?? TrackedText.of('', by);
    const hunks = tracked.changeTo(text, by);
    if (hunks.length > 0) this.edits.push({ edit, hunks });
    this.keep(key, after, at, tracked);
  }

  /** A file holds this now, by whatever means. @returns false when it can't be read */
  private async arriveAt(
    { location, at }: Pick<FileMoment, 'location' | 'at'>,
    version: FileVersion | null,
    { read, committed }: TextSources,
  ): Promise<boolean> {
    const key = keyOf(location);
    if (!version) {
      this.forget(key);
      return true;
    }
    if (committed) this.inherit(location, at, committed);
    const known = this.byHash.get(version.hash);
    if (this.hashes.get(key) === version.hash) this.times.set(key, at);
    else if (known) {
      this.texts.set(key, known.copy());
      this.hashes.set(key, version.hash);
      this.times.set(key, at);
    } else {
      const text = await read(version, location);
      if (text === undefined) {
        this.hashes.delete(key);
        return false;
      }
      const by = this.writers.push(undefined) - 1;
      const earlier = this.texts.get(key);
      const between = committed?.between(location, this.times.get(key) ?? Infinity, at) ?? [];
      const start = between.length > 0 ? earlier?.copy() : undefined;
      const tracked = this.changedElsewhere(key, earlier, text, by);
      if (start && committed && this.isAnyGone(start, tracked))
        this.fill(tracked, await this.through(start, between, committed, by, text));
      this.keep(key, version, at, tracked);
    }
    return true;
  }

  /**
   * A text through the versions that were committed since. Those before the last one that equals it are from before it,
   * or of another line of history.
   * @param end what follows them; undefined: nothing
   */
  private async through(
    from: TrackedText,
    versions: readonly CommittedVersion[],
    committed: CommittedTexts,
    by: number,
    end?: string,
  ): Promise<TrackedText> {
    let tracked = from.copy();
    let ended: TrackedText | undefined;
    for (const version of versions) {
      const text = await committed.textLike(version, from.text);
      if (text === from.text) tracked = from.copy();
      else if (text !== undefined) tracked.changeTo(text, by);
      if (text !== undefined && text === end) ended = tracked.copy();
    }
    if (ended) return ended;
    if (end !== undefined) tracked.changeTo(end, by);
    return tracked;
  }

  /** Whether a line that steps wrote is not there as it was: of others nothing more can be found out. */
  private isAnyGone(before: TrackedText, { lines }: TrackedText): boolean {
    const left = new Set(lines.map(({ id }) => id));
    const isStep = (writer: number): boolean => this.writers[writer] !== undefined;
    return before.lines.some((line) => !left.has(line.id) && writersOf(line).some(isStep));
  }

  /** What steps wrote is taken from one with the same text, where it says the same of them and more. */
  private fill(tracked: TrackedText, other: TrackedText): void {
    const isStep = (writer: number): boolean => this.writers[writer] !== undefined;
    tracked.mergeWith(other, (own, others) => {
      if (!saysMore(others, own, isStep)) return own;
      // That a step only deleted something in it may be said of another line: versions of other branches may lie between.
      const isSure = (writer: number): boolean => !isStep(writer) || writersOf(others).includes(writer);
      const cutBy = new Set([...others.cutBy.filter(isSure), ...own.cutBy.filter(isStep)]);
      return new TrackedLine(others.text, others.by, others.id, [...cutBy]);
    });
  }

  /** What a file holds of which nothing is known yet, but that had another name. */
  private inherit(location: FileLocation, at: number, committed: CommittedTexts): void {
    const from = this.texts.has(keyOf(location)) ? undefined : committed.renamed(location, at);
    if (!from) return;
    this.inherit(from, at, committed);
    this.rename(from, location);
  }

  private rename(from: FileLocation, to: FileLocation): void {
    const [older, newer] = [keyOf(from), keyOf(to)];
    const text = this.texts.get(older);
    if (!text || this.texts.has(newer)) return;
    this.texts.set(newer, text.copy());
    const [hash, at] = [this.hashes.get(older), this.times.get(older)];
    if (hash !== undefined) this.hashes.set(newer, hash);
    if (at !== undefined) this.times.set(newer, at);
  }

  /** A text that no step wrote: its lines are known from what was there, or from a copy. */
  private changedElsewhere(
    key: string,
    earlier: TrackedText | undefined,
    text: string,
    by: number,
  ): TrackedText {
    const tracked = earlier ?? TrackedText.of(text, by);
    tracked.changeTo(text, by);
    for (const [other, copy] of this.texts) if (other !== key) tracked.takeFrom(copy, by);
    return tracked;
  }

  private forget(key: string): void {
    this.texts.delete(key);
    this.hashes.delete(key);
    this.times.delete(key);
  }

  private keep(key: string, { hash }: FileVersion, at: number, tracked: TrackedText): void {
    this.texts.set(key, tracked);
    this.hashes.set(key, hash);
    this.times.set(key, at);
    if (this.returning.has(hash)) this.byHash.set(hash, tracked.copy());
  }
}

/** The file in the commit that is checked out, in the ways it came there. */
interface CommittedHead {
  /** Undefined: git was not asked. */
  readonly past: FilePast | undefined;
  readonly key: string;
  /** How many moments were followed by then. */
  readonly count: number;
  readonly texts: readonly TrackedText[];
}

function isAnyBy({ lines }: TrackedText, writer: number): boolean {
  return lines.some((line) => writersOf(line).includes(writer));
}

/** Whether a line says of the same characters, and of more, that steps wrote them. */
function saysMore(line: TrackedLine, known: TrackedLine, isStep: (writer: number) => boolean): boolean {
  const [all, own] = [writersOf(line), writersOf(known)];
  const writerAt = (writers: readonly number[], index: number): number =>
    writers[index] ?? writers[0] ?? NONE;
  let isMore = false;
  for (let index = 0; index < Math.max(all.length, own.length); index++) {
    const [writer, before] = [writerAt(all, index), writerAt(own, index)];
    if (isStep(before) && writer !== before) return false;
    isMore ||= isStep(writer) && writer !== before;
  }
  return isMore;
}

/** One for all characters, or one for each. */
function writersOf({ by }: TrackedLine): readonly number[] {
  return typeof by === 'number' ? [by] : by;
}

/** They are read from the store again and again. */
function isSameMoment(a: FileMoment, b: FileMoment | undefined): boolean {
  return (
    a.at === b?.at &&
    a.edit?.messageId === b.edit?.messageId &&
    a.after?.hash === b.after?.hash &&
    keyOf(a.location) === keyOf(b.location)
  );
}

/** The versions that a file holds again after others, and those that stand in another place. */
function returningHashes(moments: readonly FileMoment[]): Set<string> {
  const returning = new Set<string>();
  const current = new Map<string, string | undefined>();
  const removed = new Set<string>();
  const seen = new Set<string>();
  for (const { location, before, after, edit } of moments) {
    const key = keyOf(location);
    const arrived = edit ? before : after;
    if (arrived && arrived.hash !== current.get(key) && seen.has(arrived.hash)) returning.add(arrived.hash);
    for (const version of [before, after]) if (version) seen.add(version.hash);
    if (edit && before && !after) removed.add(before.hash);
    current.set(key, after?.hash);
  }
  // A file that is renamed may be made before the other is removed.
  for (const hash of removed) returning.add(hash);
  return returning;
}
