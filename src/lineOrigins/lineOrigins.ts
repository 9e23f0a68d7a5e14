import type { Disposable } from '../base/disposable.ts';
import { Sequencer } from '../base/sequencer.ts';
import { sha256 } from '../engine/bytes.ts';
import type { BlobStore } from '../engine/store.ts';
import { keyOf } from '../files/contentVersion.ts';
import type { CommittedFile, CommittedHistory } from '../host/committedHistory.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import { hasWords } from './lineMatches.ts';
import { CommittedTexts, type TextOf } from './committedTexts.ts';
import { FileTrack, type ReadVersion } from './fileTrack.ts';
import { isSameStep, originsIn, type LineOrigin } from './lineOrigin.ts';
import {
  RecordedFiles,
  type FileMoment,
  type RecordedEdit,
  type RecordedFilesStore,
} from './recordedFiles.ts';
import type { LineHunk, LineId } from './trackedLines.ts';
import type { TrackedText } from './trackedText.ts';

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

/** Where the past of files is known from. */
export interface HistorySource {
  /** Asked for with each question. Undefined: git may not be asked now. */
  open(): Promise<CommittedHistory | undefined>;
  /** Called once, with the first failure. */
  onError(error: unknown): void;
}

/** How many files are kept, each with the texts that are needed to follow it further. */
const MOST_FILES = 8;

/** Answers which step wrote a line, from what the chats of a user recorded. Reads only. */
export class LineOrigins implements Disposable {
  private readonly recorded: RecordedFiles;
  private readonly tracks = new Map<string, FileTrack>();
  private readonly following = new Sequencer();

  private hasFailed = false;

  /** @param textOf decodes the bytes of a file @param history undefined: there is no git */
  constructor(
    private readonly store: RecordedFilesStore & { readonly blobs: Pick<BlobStore, 'get'> },
    userId: string,
    private readonly textOf: TextOf,
    private readonly history?: HistorySource,
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
    const file = await this.committedFile(location);
    try {
      const committed = file && new CommittedTexts(file, location, this.textOf, this.onFailure);
      const earlier = committed?.past.renames.map(({ from }) => from);
      const [place, moments] = await this.placeOf(location, hash, earlier);
      if (moments.length === 0) return NO_ORIGINS;
      return await this.following.run(async () => {
        const track = await this.trackOf(place, moments, { text, hash, committed });
        return originsOf(track, track.now(place, text, hash));
      });
    } finally {
      file?.dispose();
    }
  }

  /** Changes when git may know something else of a file. Starts no program where git logs what is checked out. */
  async markOf(location: FileLocation): Promise<string | undefined> {
    return this.asked(async (history) => history.markOf(location));
  }

  /** The folders in which steps changed files, that of the last change first. */
  folders(): Promise<readonly string[]> {
    return this.recorded.folders();
  }

  dispose(): void {
    this.recorded.dispose();
  }

  /** Only where steps changed files: the user trusted that folder. */
  private async committedFile(location: FileLocation): Promise<CommittedFile | undefined> {
    return this.asked(async (history) => {
      const since = await this.recorded.since(location);
      return since === undefined ? undefined : history.open(location, since);
    });
  }

  /** Without git, what was recorded still holds. It is told once that it can't be asked. */
  private async asked<T>(ask: (history: CommittedHistory) => Promise<T>): Promise<T | undefined> {
    try {
      const history = await this.history?.open();
      return history && (await ask(history));
    } catch (error) {
      this.onFailure(error);
      return undefined;
    }
  }

  private readonly onFailure = (error: unknown): void => {
    if (!this.hasFailed) this.history?.onError(error);
    this.hasFailed = true;
  };

  /** Where it was recorded: a file that the user renamed is found by its content, if git knows nothing of it. */
  private async placeOf(
    location: FileLocation,
    hash: string,
    names: readonly string[] | undefined,
  ): Promise<readonly [FileLocation, readonly FileMoment[]]> {
    const moments = await this.recorded.momentsOf(location, names);
    if (moments.length > 0) return [location, moments];
    const earlier = await this.recorded.locationOf(hash);
    return earlier ? [earlier, await this.recorded.momentsOf(earlier)] : [location, []];
  }

  /** What is known is followed further. */
  private async trackOf(
    place: FileLocation,
    moments: readonly FileMoment[],
    { text, hash, committed }: PresentText,
  ): Promise<FileTrack> {
    const key = keyOf(place);
    const sources = { read: this.readerOf(committed), committed };
    const recorded = new Map(
      moments.flatMap(({ before, after }) =>
        [before, after].flatMap((version) => (version ? [[version.hash, version.size] as const] : [])),
      ),
    );
    const known = this.tracks.get(key);
    const isFollowed = known !== undefined && (await known.followedTo(moments, sources));
    const isHere = recorded.has(hash) ? [hash] : [];
    if (isFollowed && known.hasFollowed(place, committed) && isHere.every((each) => known.knows(place, each)))
      return known;
    const newest = await committed?.newestOf(recorded, text);
    const wanted = newest ? [...isHere, newest.hash] : isHere;
    const isKnown = isFollowed && wanted.every((each) => known.knows(place, each));
    const track = isKnown ? known : await FileTrack.of(moments, sources, wanted);
    await track.followCommits(place, committed, newest);
    this.tracks.delete(key);
    this.tracks.set(key, track);
    const [oldest] = this.tracks.keys();
    if (this.tracks.size > MOST_FILES && oldest !== undefined) this.tracks.delete(oldest);
    return track;
  }

  /** A version that was not kept may have been committed. */
  private readerOf(committed: CommittedTexts | undefined): ReadVersion {
    return async (version, location) => {
      const kept = version.isKept === false ? undefined : await this.store.blobs.get(version.hash);
      const bytes = kept ?? (await committed?.bytesOf(version));
      return bytes && this.textOf(bytes, location);
    };
  }
}

/** What a file holds now. */
interface PresentText {
  readonly text: string;
  readonly hash: string;
  readonly committed: CommittedTexts | undefined;
}

function originsOf(track: FileTrack, now: TrackedText): FileOrigins {
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
