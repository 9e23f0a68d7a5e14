import type { Disposable } from '../base/disposable.ts';
import { Sequencer } from '../base/sequencer.ts';
import { sha256 } from '../engine/bytes.ts';
import { keyOf } from '../files/contentVersion.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import { hasWords } from './lineMatches.ts';
import { FileTrack, type ReadVersion } from './fileTrack.ts';
import { isSameStep, originsIn, type LineOrigin } from './lineOrigin.ts';
import {
  RecordedFiles,
  type FileMoment,
  type RecordedEdit,
  type RecordedFilesStore,
} from './recordedFiles.ts';
import type { LineHunk, LineId } from './trackedLines.ts';

/** Which steps of runs wrote the lines of a file that still stand, and what else was tried there. */
export interface FileOrigins {
  /** Only lines that a run wrote, from the top. */
  readonly lines: readonly LineOrigin[];
  /** What other steps made of the lines that the edit of a line replaced, oldest first: mostly on other branches. */
  otherEdits(origin: LineOrigin): readonly RecordedEdit[];
  /**
   * All steps that wrote lines, or what they were, or made something else of them, on any branch; oldest first.
   * @param first from 0 @param last inclusive
   */
  editsOf(first: number, last: number): readonly RecordedEdit[];
}

const NO_ORIGINS: FileOrigins = { lines: [], otherEdits: () => [], editsOf: () => [] };

/** How many files are kept, each with the texts that are needed to follow it further. */
const MOST_FILES = 8;

/** Answers which step wrote a line, from what the chats of a user recorded. Reads only. */
export class LineOrigins implements Disposable {
  private readonly recorded: RecordedFiles;
  private readonly tracks = new Map<string, FileTrack>();
  private readonly following = new Sequencer();

  /** @param read gives the text of a version, in the encoding of its file */
  constructor(
    store: RecordedFilesStore,
    userId: string,
    private readonly read: ReadVersion,
  ) {
    this.recorded = new RecordedFiles(store, userId);
  }

  /** Call after the log got an entry about files: the store does not announce it. */
  forget(): void {
    this.recorded.forget();
  }

  /** @param text what the file holds now, with changes that are not saved yet */
  async of(location: FileLocation, text: string): Promise<FileOrigins> {
    const hash = await sha256(new TextEncoder().encode(text));
    const [place, moments] = await this.placeOf(location, hash);
    if (moments.length === 0) return NO_ORIGINS;
    const track = await this.trackOf(place, moments, text, hash);
    const now = track.now(place, text, hash);
    const lines = originsIn(now, track.writers);
    return {
      lines,
      otherEdits: (origin) => otherEdits(origin, track),
      editsOf: (first, last) => {
        const within = now.lines.slice(first, last + 1).filter(({ text }) => hasWords(text));
        const ids = new Set(within.flatMap(({ id }) => [...lineage(id)]));
        const attempts = lines
          .filter(({ line }) => line >= first && line <= last)
          .flatMap((origin) => [origin.edit, ...otherEdits(origin, track)]);
        const others = new Set(attempts);
        return track.edits
          .filter(({ edit, hunks }) => others.has(edit) || hunks.some((hunk) => isAbout(hunk, ids)))
          .map(({ edit }) => edit);
      },
    };
  }

  /** The folders in which steps changed files, that of the last change first. */
  folders(): Promise<readonly string[]> {
    return this.recorded.folders();
  }

  dispose(): void {
    this.recorded.dispose();
  }

  /** Where it was recorded: a file that the user renamed is found by its content. */
  private async placeOf(
    location: FileLocation,
    hash: string,
  ): Promise<readonly [FileLocation, readonly FileMoment[]]> {
    const moments = await this.recorded.momentsOf(location);
    if (moments.length > 0) return [location, moments];
    const earlier = await this.recorded.locationOf(hash);
    return earlier ? [earlier, await this.recorded.momentsOf(earlier)] : [location, []];
  }

  /** What is known is followed further, one after the other. */
  private trackOf(
    place: FileLocation,
    moments: readonly FileMoment[],
    text: string,
    hash: string,
  ): Promise<FileTrack> {
    return this.following.run(async () => {
      const key = keyOf(place);
      const isRecorded = moments.some(({ after }) => after?.hash === hash);
      const known = this.tracks.get(key);
      if (known && (await known.followedTo(moments)) && (!isRecorded || known.knows(place, text, hash)))
        return known;
      this.tracks.delete(key);
      const track = await FileTrack.of(moments, this.read, isRecorded ? hash : undefined);
      this.tracks.set(key, track);
      const [oldest] = this.tracks.keys();
      if (this.tracks.size > MOST_FILES && oldest !== undefined) this.tracks.delete(oldest);
      return track;
    });
  }
}

function otherEdits(origin: LineOrigin, { edits }: FileTrack): RecordedEdit[] {
  const ids = lineage(origin.id);
  const own = edits
    .filter(({ edit }) => edit === origin.edit)
    .flatMap(({ hunks }) => hunks.filter(({ added }) => added.some((id) => ids.has(id))));
  const removed = new Set(own.flatMap((hunk) => hunk.removed));
  const isSamePlace = (hunk: LineHunk): boolean =>
    hunk.removed.some((id) => removed.has(id)) ||
    own.some(({ above, below }) => hunk.above === above && hunk.below === below);
  return edits
    .filter(({ edit, hunks }) => !isSameStep(edit, origin.edit) && hunks.some(isSamePlace))
    .map(({ edit }) => edit);
}

function isAbout({ added, removed }: LineHunk, ids: ReadonlySet<LineId>): boolean {
  return added.some((id) => ids.has(id)) || removed.some((id) => ids.has(id));
}

/** A line, and all that it was. */
function lineage(id: LineId): ReadonlySet<LineId> {
  const ids = new Set<LineId>();
  const open = [id];
  for (let next = open.pop(); next; next = open.pop()) {
    if (ids.has(next)) continue;
    ids.add(next);
    open.push(...next.from);
  }
  return ids;
}
