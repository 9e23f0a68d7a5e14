import { z } from 'zod';
import { tryParseJson } from '../base/tryParseJson.ts';
import type { Files } from './files.ts';
import type { LockOwner } from './platform.ts';
import { WRITES, type FileLocation } from './workspaceFiles.ts';

const header = z.object({
  version: z.literal(1),
  /** The machine of the process: ids of processes of another one mean nothing here. */
  host: z.string(),
  folder: z.string(),
  path: z.string(),
  /** The file, by its device and inode: another one under its name is not touched. */
  identity: z.string(),
  /** Its permission bits before, and after. */
  oldMode: z.number().int().nonnegative(),
  newMode: z.number().int().nonnegative(),
  /** In bytes. */
  oldSize: z.number().int().nonnegative(),
  newSize: z.number().int().nonnegative(),
});

/** A file that is about to be written in place. */
export interface JournaledWrite {
  readonly location: FileLocation;
  readonly identity: string;
  readonly oldMode: number;
  readonly newMode: number;
  readonly oldBytes: Uint8Array;
  readonly newBytes: Uint8Array;
}

/** A write that ended with its program. */
export interface LeftWrite extends JournaledWrite {
  /** Keeps bytes that are not in the file. @returns their path on this machine */
  keep(what: 'old' | 'new' | 'found', bytes: Uint8Array): Promise<string>;
  /** It is dealt with. */
  end(): Promise<void>;
}

/** Its record cannot be read, and has another name now. */
export interface DamagedWrite {
  readonly damaged: string;
}

/** With the id of the writing process. What ends with `tmp` was never the record of a write that has begun. */
const recordName = /^write\.(\d+)\.([\da-f-]+)\.journal(\..*\.tmp)?$/u;

/** How long versions of interrupted writes are kept, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const keptName = /^write\.[\da-f-]+\.(?:old|new|found)$/u;

const LINE_END = 0x0a;

/**
 * The old and the new bytes of each file that is being written in place, as a file of its own in the storage folder: it
 * is on the disk before the first byte is written, and goes once the last one is on the disk.
 */
export class WriteJournal {
  private readonly begun = new Set<string>();

  /** @param folder made when it is needed */
  constructor(
    private readonly files: Pick<
      Files,
      'read' | 'replace' | 'remove' | 'move' | 'ensureFolder' | 'list' | 'join'
    >,
    private readonly folder: string,
    private readonly owner: Pick<LockOwner, 'pid' | 'host' | 'isAlive'>,
  ) {}

  /** @returns ends the record */
  async begin(write: JournaledWrite): Promise<() => Promise<void>> {
    const id = crypto.randomUUID();
    const path = this.pathOf(id);
    this.begun.add(id);
    try {
      await this.files.ensureFolder(this.folder);
      await this.files.replace(path, bytesOf(write, this.owner.host));
    } catch (error) {
      this.begun.delete(id);
      throw error;
    }
    return async () => {
      await this.files.remove(path);
      this.begun.delete(id);
    };
  }

  /** The writes of processes that are gone, which this one takes over. Two that look at once never get the same. */
  async left(): Promise<(LeftWrite | DamagedWrite)[]> {
    const left: (LeftWrite | DamagedWrite)[] = [];
    for (const file of await this.files.list(this.folder)) {
      const path = this.files.join(this.folder, file.name);
      const id = this.idOfLeft(file.name);
      if (isExpired(file) || (id !== undefined && file.name.endsWith('.tmp'))) await this.files.remove(path);
      else if (id !== undefined) left.push(...(await this.takeOver(id, path)));
    }
    return left;
  }

  /** None: another process was faster, or it is one of another machine. */
  private async takeOver(id: string, path: string): Promise<(LeftWrite | DamagedWrite)[]> {
    const found = await this.files.read(path);
    if (!found || (headerIn(found)?.host ?? this.owner.host) !== this.owner.host) return [];
    const own = this.pathOf(id);
    if (path !== own) await this.files.move(path, own);
    const bytes = await this.files.read(own);
    return bytes ? [await this.asLeft(id, own, bytes)] : [];
  }

  private async asLeft(id: string, path: string, bytes: Uint8Array): Promise<LeftWrite | DamagedWrite> {
    const write = writeIn(bytes);
    if (!write) {
      const damaged = this.files.join(this.folder, `${WRITES}${id}.damaged`);
      await this.files.move(path, damaged);
      return { damaged };
    }
    return {
      ...write,
      keep: async (what, kept) => {
        const place = this.files.join(this.folder, `${WRITES}${id}.${what}`);
        await this.files.replace(place, kept);
        return place;
      },
      end: () => this.files.remove(path),
    };
  }

  private pathOf(id: string): string {
    return this.files.join(this.folder, `${WRITES}${this.owner.pid}.${id}.journal`);
  }

  private idOfLeft(name: string): string | undefined {
    const [, pid, id] = recordName.exec(name) ?? [];
    if (pid === undefined || id === undefined || this.begun.has(id)) return undefined;
    return Number(pid) === this.owner.pid || !this.owner.isAlive(Number(pid)) ? id : undefined;
  }
}

function isExpired({ name, age }: { readonly name: string; readonly age: number }): boolean {
  return keptName.test(name) && age > KEPT_MS;
}

function bytesOf({ location, oldBytes, newBytes, ...write }: JournaledWrite, host: string): Uint8Array {
  const about: z.infer<typeof header> = {
    version: 1,
    host,
    folder: location.folder,
    path: location.path,
    ...write,
    oldSize: oldBytes.byteLength,
    newSize: newBytes.byteLength,
  };
  const line = new TextEncoder().encode(`${JSON.stringify(about)}\n`);
  const bytes = new Uint8Array(line.byteLength + oldBytes.byteLength + newBytes.byteLength);
  bytes.set(line);
  bytes.set(oldBytes, line.byteLength);
  bytes.set(newBytes, line.byteLength + oldBytes.byteLength);
  return bytes;
}

function headerIn(bytes: Uint8Array): z.infer<typeof header> | undefined {
  const line = bytes.subarray(0, Math.max(0, bytes.indexOf(LINE_END)));
  return header.safeParse(tryParseJson(new TextDecoder().decode(line))).data;
}

function writeIn(bytes: Uint8Array): JournaledWrite | undefined {
  const about = headerIn(bytes);
  if (!about) return undefined;
  const { folder, path, oldSize, newSize, identity, oldMode, newMode } = about;
  const start = bytes.indexOf(LINE_END) + 1;
  if (bytes.byteLength !== start + oldSize + newSize) return undefined;
  return {
    location: { folder, path },
    identity,
    oldMode,
    newMode,
    oldBytes: bytes.subarray(start, start + oldSize),
    newBytes: bytes.subarray(start + oldSize),
  };
}
