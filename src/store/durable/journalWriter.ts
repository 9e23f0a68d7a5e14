import type { Crc32 } from '../../platform/checksum.ts';
import type { LogFile } from '../../platform/files.ts';
import type { Group } from '../connection.ts';
import { SCHEMA_VERSION } from '../schema.ts';
import { JournalPosition, type JournalPoint } from './journal.ts';
import type { StorageFiles } from './storageFiles.ts';

/** The journal that is appended to. */
export class JournalWriter {
  private constructor(
    private readonly storage: StorageFiles,
    private readonly position: JournalPosition,
    private readonly log: LogFile,
  ) {}

  /** Begins a journal. */
  static async create(storage: StorageFiles, generation: number, crc32: Crc32): Promise<JournalWriter> {
    const path = storage.journal(generation);
    const { position, bytes } = JournalPosition.begin({ schema: SCHEMA_VERSION, generation }, crc32);
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

  /** In bytes. */
  get size(): number {
    return this.log.size;
  }

  /** The point up to which it is on disk. */
  get point(): JournalPoint {
    return { generation: this.generation, size: this.size };
  }

  /** True when it holds no transaction. */
  get isEmpty(): boolean {
    return this.position.isEmpty;
  }

  /** Resolves once the group is on disk. After a failure this writer must not be used any more. */
  async append(group: Group): Promise<void> {
    await this.log.append(this.position.encode(group));
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
