import type { Crc32, SnapshotRequest } from '../../host/platform.ts';
import type { LogFile } from '../../host/files.ts';
import type { Group } from '../sqlite/connection.ts';
import { SCHEMA_VERSION } from '../sqlite/schema.ts';
import { headerAfter, JournalPosition, type JournalHeader, type JournalPoint } from './journal.ts';
import type { StorageFiles } from './storageFiles.ts';
import type { GroupCommit } from './groupCommit.ts';

export class JournalWriter {
  /** The size of the previous journal, until the first line has said so. */
  private after: number | undefined;

  private constructor(
    private readonly storage: StorageFiles,
    private readonly position: JournalPosition,
    private readonly log: LogFile,
  ) {}

  /** Begins a journal. */
  static async create(
    storage: StorageFiles,
    header: Omit<JournalHeader, 'schema'>,
    crc32: Crc32,
  ): Promise<JournalWriter> {
    const path = storage.journal(header.generation);
    const { position, bytes } = JournalPosition.begin({ schema: SCHEMA_VERSION, ...header }, crc32);
    await storage.files.replace(path, bytes);
    return new JournalWriter(storage, position, await storage.files.openLog(path));
  }

  /** Continues after the part of a journal that was read, and cuts off the rest: it was never acknowledged. */
  static async resume(storage: StorageFiles, position: JournalPosition): Promise<JournalWriter> {
    const log = await storage.files.openLog(storage.journal(position.header.generation));
    if (log.size > position.size) await log.truncate(position.size);
    return new JournalWriter(storage, position, log);
  }

  get generation(): number {
    return this.position.header.generation;
  }

  /** The identity of its store; undefined when an earlier version began it. */
  get store(): string | undefined {
    return this.position.header.store;
  }

  /** In bytes. */
  get size(): number {
    return this.log.size;
  }

  /** The point up to which it is on disk. */
  get point(): JournalPoint {
    return { generation: this.generation, size: this.size };
  }

  get isEmpty(): boolean {
    return this.position.isEmpty;
  }

  /** Resolves once the group is on disk. After a failure this writer must not be used any more. */
  async append(group: Group): Promise<void> {
    const { after } = this;
    this.after = undefined;
    await this.log.append(this.position.encode(group, after));
  }

  /** Nothing is added to the previous journal any more. */
  follow(previous: JournalWriter): void {
    this.after = previous.size;
  }

  /** Checks whether the files still exist. */
  async look(): Promise<void> {
    await this.storage.files.stamp(this.storage.journal(this.generation));
  }

  /** Cuts off the bytes that a failed append may have written. */
  async cutToAcknowledged(): Promise<void> {
    await this.log.truncate(this.log.size);
  }

  async close(): Promise<void> {
    await this.log.close();
  }
}

/** The journals before a new one. */
interface Sealed {
  /** The footer of the snapshot of everything before the new one. */
  readonly footer: Omit<SnapshotRequest, 'folder' | 'database'>;
  /** The size of the previous one. */
  readonly sealedBytes: number;
  /** The database at the end of them, if requested. */
  readonly content?: Uint8Array | undefined;
}

interface SealOptions {
  readonly storage: StorageFiles;
  readonly crc32: Crc32;
  readonly commits: Pick<GroupCommit<unknown>, 'betweenGroups' | 'quietly'>;
  readonly journal: () => JournalWriter | undefined;
  /** The identity of the store, where an earlier file has it. */
  readonly store: () => string | undefined;
  /** Later saves are written to this journal. */
  readonly goOnWith: (journal: JournalWriter) => void;
  readonly content: () => Uint8Array;
}

/** As {@link sealJournal}. */
export type Sealing = (takesContent: boolean) => Promise<Sealed | undefined>;

/**
 * Continues with a new, already existing journal, at a moment when nothing is written.
 * @param takesContent also takes the database, at a moment when memory equals the journals
 * @returns undefined when there is nothing to seal
 */
export async function sealJournal(options: SealOptions, takesContent: boolean): Promise<Sealed | undefined> {
  const { storage, crc32, commits } = options;
  const old = options.journal();
  if (!old) return undefined;
  // A store of an earlier version gets its identity here.
  const store = old.store ?? options.store() ?? crypto.randomUUID();
  const footer = { generation: old.generation + 1, store, journal: crypto.randomUUID() };
  const fresh = await JournalWriter.create(storage, headerAfter(footer), crc32);
  const change = (): Sealed | undefined => {
    // Memory may have been reloaded since, with another writer for the journal.
    if (options.journal() !== old) return undefined;
    const content = takesContent ? options.content() : undefined;
    fresh.follow(old);
    options.goOnWith(fresh);
    return { footer, sealedBytes: old.size, content };
  };
  const sealed = await (takesContent ? commits.quietly(change) : commits.betweenGroups(change));
  await (sealed ? old : fresh).close();
  return sealed;
}
