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

  /** Goes on after what was read of a journal, and cuts off what follows that: it was never acknowledged. */
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

  /** How far it is on the disk. */
  get point(): JournalPoint {
    return { generation: this.generation, size: this.size };
  }

  /** It holds no transaction. */
  get isEmpty(): boolean {
    return this.position.isEmpty;
  }

  /** Resolves once the group is on the disk. After a failure this writer is of no use any more. */
  async append(group: Group): Promise<void> {
    await this.log.append(this.position.encode(group));
  }

  /** Finds out whether the files are there at all. */
  async look(): Promise<void> {
    await this.storage.files.stamp(this.storage.journal(this.generation));
  }

  /** Cuts off what may have reached the file of an append that failed. */
  async cutToAcknowledged(): Promise<void> {
    await this.log.truncate(this.log.size);
  }

  async close(): Promise<void> {
    await this.log.close();
  }
}
