import type { FileVersion } from '../engine/effects.ts';
import { keyOf } from '../files/contentVersion.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import type { FileMoment, RecordedEdit } from './recordedFiles.ts';
import type { LineHunk } from './trackedLines.ts';
import { TrackedText } from './trackedText.ts';

/** The text of a version; undefined where it is no text, or was not kept. */
export type ReadVersion = (version: FileVersion, location: FileLocation) => Promise<string | undefined>;

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

  private constructor(
    private readonly read: ReadVersion,
    /** The versions that a file comes back to: only these are kept. */
    private readonly returning: Set<string>,
    private readonly moments: FileMoment[] = [],
  ) {}

  /** @param returning a version that is there now, if it was recorded */
  static async of(moments: readonly FileMoment[], read: ReadVersion, returning?: string): Promise<FileTrack> {
    const hashes = returningHashes(moments);
    const track = new FileTrack(read, returning === undefined ? hashes : hashes.add(returning));
    await track.follow(moments);
    return track;
  }

  /**
   * Follows what was recorded since. False: something else was recorded earlier, or a file came back to a version that was
   * not kept, so that it has to be followed from its beginning. Nothing is changed then.
   */
  async followedTo(moments: readonly FileMoment[]): Promise<boolean> {
    const known = this.moments;
    if (known.length > moments.length || !known.every((each, index) => isSameMoment(each, moments[index])))
      return false;
    const returning = [...returningHashes(moments)].filter((hash) => !this.returning.has(hash));
    const earlier = new Set(known.flatMap(({ before, after }) => [before?.hash, after?.hash]));
    if (returning.some((hash) => earlier.has(hash))) return false;
    for (const hash of returning) this.returning.add(hash);
    await this.follow(moments.slice(known.length));
    return true;
  }

  /** Whether a text that was recorded is what the file held last, or one of those that were to be kept. */
  knows(location: FileLocation, text: string, hash: string): boolean {
    return this.texts.get(keyOf(location))?.text === text || this.returning.has(hash);
  }

  private async follow(moments: readonly FileMoment[]): Promise<void> {
    for (const moment of moments) {
      await this.add(moment);
      this.moments.push(moment);
    }
  }

  /** What is in a file now, with the writers of its lines. */
  now(location: FileLocation, text: string, hash: string | undefined): TrackedText {
    const known = hash === undefined ? undefined : this.byHash.get(hash);
    if (known?.text === text) return known;
    // Nothing follows from here: the number is that of no writer.
    const key = keyOf(location);
    const last = this.texts.get(key);
    return last?.text === text ? last : this.changedElsewhere(key, last?.copy(), text, this.writers.length);
  }

  private async add({ location, before, after, edit }: FileMoment): Promise<void> {
    const key = keyOf(location);
    if (!edit) return this.arriveAt(location, after);
    await this.arriveAt(location, before ?? null);
    if (!after) {
      this.forget(key);
      return;
    }
    // Only who may execute it has changed.
    if (before?.hash === after.hash) return;
    const earlier = this.texts.get(key);
    const renamed = earlier ? undefined : this.byHash.get(after.hash);
    const text = renamed?.text ?? (await this.read(after, location));
    if (text === undefined) {
      this.hashes.delete(key);
      return;
    }
    const by = this.writers.push(edit) - 1;
    const tracked = renamed?.copy() ?? earlier ?? TrackedText.of('', by);
    const hunks = tracked.changeTo(text, by);
    if (hunks.length > 0) this.edits.push({ edit, hunks });
    this.keep(key, after, tracked);
  }

  /** A file holds this now, by whatever means. */
  private async arriveAt(location: FileLocation, version: FileVersion | null): Promise<void> {
    const key = keyOf(location);
    if (!version) {
      this.forget(key);
      return;
    }
    if (this.hashes.get(key) === version.hash) return;
    const known = this.byHash.get(version.hash);
    if (known) {
      this.texts.set(key, known.copy());
      this.hashes.set(key, version.hash);
      return;
    }
    const text = await this.read(version, location);
    if (text === undefined) return;
    const by = this.writers.push(undefined) - 1;
    this.keep(key, version, this.changedElsewhere(key, this.texts.get(key), text, by));
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
  }

  private keep(key: string, { hash }: FileVersion, tracked: TrackedText): void {
    this.texts.set(key, tracked);
    this.hashes.set(key, hash);
    if (this.returning.has(hash)) this.byHash.set(hash, tracked.copy());
  }
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
