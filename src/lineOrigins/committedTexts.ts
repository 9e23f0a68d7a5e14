import { sha256 } from '../engine/bytes.ts';
import type { FileVersion } from '../engine/effects.ts';
import type {
  CommittedFile,
  CommittedObject,
  CommittedRename,
  CommittedVersion,
} from '../host/committedHistory.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';

/** The text of a file's bytes; undefined: they are no text. */
export type TextOf = (
  bytes: Uint8Array,
  location: FileLocation,
) => Promise<string | undefined> | string | undefined;

/** In bytes: what is larger is not read from git. */
const MOST_BYTES = 10_000_000;

/** What stands in git in place of a file whose content is kept elsewhere. */
const POINTER = 'version https://git-lfs.github.com/spec/';

/** How many versions are compared with what was recorded, the newest first. */
const MOST_COMPARED = 100;

/** A committed version that was recorded as well. */
export interface RecordedCommit {
  /** Among the versions of the past. */
  readonly index: number;
  readonly hash: string;
}

/** What git has of a file that chats changed, as texts. */
export class CommittedTexts {
  /** How large objects are with the line ends of Windows. */
  private readonly converted = new Map<string, number>();

  constructor(
    private readonly file: CommittedFile,
    private readonly asked: FileLocation,
    private readonly textOf: TextOf,
    private readonly onError: (error: unknown) => void,
  ) {}

  get past(): CommittedFile['past'] {
    return this.file.past;
  }

  /** The bytes of a recorded version that was not kept. */
  async bytesOf({ hash, size }: FileVersion): Promise<Uint8Array | undefined> {
    const sizes = new Set([size]);
    for (const object of this.past.objects) {
      for (const bytes of await this.formsOf(object, sizes, true))
        if ((await sha256(bytes)) === hash) return bytes;
    }
    return undefined;
  }

  /** The latest version that was recorded as well. @param recorded sizes, by hash @param disk what the file holds now */
  async newestOf(recorded: ReadonlyMap<string, number>, disk: string): Promise<RecordedCommit | undefined> {
    const sizes = new Set(recorded.values());
    const { versions } = this.past;
    for (const [index, version] of [...versions.entries()].slice(-MOST_COMPARED).reverse()) {
      for (const bytes of await this.formsOf(version, sizes, hasCarriageReturns(disk))) {
        const hash = await sha256(bytes);
        if (recorded.has(hash)) return { index, hash };
      }
    }
    return undefined;
  }

  /** The versions that were committed between two moments in which it is known what a file held, oldest first. */
  between(location: FileLocation, since: number, until: number): readonly CommittedVersion[] {
    const { versions } = this.past;
    if (!this.isOf(location)) return [];
    // What follows under another name comes after it.
    const end = versions.findLastIndex(({ path }) => path === location.path);
    const own = end < 0 || location.path === this.asked.path ? versions : versions.slice(0, end + 1);
    return own.filter(({ from, to }) => from >= since && to <= until);
  }

  /** What a file was before it had a name. @param at when it was known to have this one */
  renamed(location: FileLocation, at: number): FileLocation | undefined {
    if (location.folder !== this.asked.folder) return undefined;
    const rename = this.past.renames.find(({ to, after }) => to === location.path && at > after);
    return rename && { folder: location.folder, path: rename.from };
  }

  /** The renames that were committed by then. */
  renamesUntil(at: number): readonly (readonly [from: FileLocation, to: FileLocation])[] {
    const { folder } = this.asked;
    const until = this.past.renames.filter((rename: CommittedRename) => rename.at <= at);
    return until.toReversed().map(({ from, to }) => [
      { folder, path: from },
      { folder, path: to },
    ]);
  }

  /** Changes with what was committed until then, and with all renames. */
  stateUntil(at: number): string {
    const { versions, renames } = this.past;
    return JSON.stringify([versions.filter(({ from }) => from <= at), renames]);
  }

  /** With line ends like those of a text that the disk had. */
  async textLike({ object, size }: CommittedVersion, disk: string): Promise<string | undefined> {
    const bytes = size > MOST_BYTES ? undefined : await this.read(object);
    const text = bytes && (await this.textOf(bytes, this.asked));
    if (text === undefined || text.startsWith(POINTER)) return undefined;
    return hasCarriageReturns(disk) && !text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  }

  /** What can't be read is as if it were not there. */
  private read(object: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.file.read(object).catch((error: unknown) => {
      this.onError(error);
      return undefined;
    });
  }

  private isOf({ folder, path }: FileLocation): boolean {
    const { versions } = this.past;
    if (folder !== this.asked.folder) return false;
    return path === this.asked.path || versions.some((version) => version.path === path);
  }

  /**
   * What the disk may have had of an object, of one of these sizes: git keeps files with `\n` whose lines may end with
   * `\r\n` there.
   */
  private async formsOf(
    { object, size }: CommittedObject,
    sizes: ReadonlySet<number>,
    mayBeConverted: boolean,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    if (size > MOST_BYTES) return [];
    const known = this.converted.get(object);
    const isWanted = (length: number): boolean => sizes.has(length);
    const mayBe =
      mayBeConverted && (known === undefined ? [...sizes].some((each) => each > size) : isWanted(known));
    const bytes = isWanted(size) || mayBe ? await this.read(object) : undefined;
    if (!bytes || !mayBe) return bytes ? [bytes] : [];
    const converted = withCarriageReturns(bytes);
    this.converted.set(object, converted.length);
    return [bytes, converted].filter(({ length }) => isWanted(length));
  }
}

function hasCarriageReturns(text: string): boolean {
  return /^[^\n]*\r\n/u.test(text);
}

const [LF, CR] = [10, 13];

/** As git writes a file where it is to have the line ends of Windows. */
function withCarriageReturns(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const bare = (byte: number, index: number): boolean => byte === LF && bytes[index - 1] !== CR;
  const made = new Uint8Array(bytes.length + bytes.filter((byte, index) => bare(byte, index)).length);
  let at = 0;
  for (const [index, byte] of bytes.entries()) {
    if (bare(byte, index)) made[at++] = CR;
    made[at++] = byte;
  }
  return made;
}
