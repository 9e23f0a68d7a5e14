import type { Platform } from '../../platform/platform.ts';
import { CompactionError } from './errors.ts';
import type { Replica } from './replica.ts';
import type { StorageFiles } from './storageFiles.ts';
import type { WriterLock } from './writerLock.ts';

/** How large the journals may become beside a snapshot. Repeating 10 MB takes a good part of a second. */
const MIN_JOURNAL_BYTES = 1_000_000;
const MAX_JOURNAL_BYTES = 10_000_000;

export interface CompactionOptions {
  readonly storage: StorageFiles;
  readonly platform: Platform;
  readonly lock: WriterLock;
  /**
   * Goes on with a new journal.
   * @returns its generation and the size of the one before; undefined when there is nothing to seal
   */
  readonly seal: () => Promise<{ readonly generation: number; readonly sealedBytes: number } | undefined>;
  /** The size of the journal that is written, in bytes. */
  readonly journalBytes: () => number;
  readonly onError: (error: unknown) => void;
  /** In bytes, instead of a fraction of the snapshot. */
  readonly journalLimit?: number | undefined;
}

/** Makes a new snapshot of the old one and the journals since, while saving goes on. */
export class Compaction {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private baseGeneration: number;
  private baseBytes: number;
  private sealedBytes: number;
  /** After a failure, how large the journals have to be before it is tried again. */
  private retryAt = 0;
  /** Something was saved while a snapshot was being made. */
  private isAsked = false;

  constructor(
    private readonly options: CompactionOptions,
    { baseGeneration, baseBytes, sealedBytes }: Pick<Replica, 'baseGeneration' | 'baseBytes' | 'sealedBytes'>,
  ) {
    this.baseGeneration = baseGeneration;
    this.baseBytes = baseBytes;
    this.sealedBytes = sealedBytes;
  }

  /** Begins when the journals have become large; while one is made, after that. */
  consider(): void {
    this.isAsked = this.running !== undefined;
    if (this.isAsked) return;
    const total = this.sealedBytes + this.options.journalBytes();
    if (total > Math.max(this.limit, this.retryAt)) void this.run();
  }

  /** Makes a new snapshot now. What goes wrong is told to `onError`. */
  run(): Promise<void> {
    this.running ??= this.attempt();
    return this.running;
  }

  /** What is under way is given up: the files it was made from are all there. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private get limit(): number {
    const fraction = Math.min(MAX_JOURNAL_BYTES, this.baseBytes / 4);
    return this.options.journalLimit ?? Math.max(MIN_JOURNAL_BYTES, fraction);
  }

  private async attempt(): Promise<void> {
    try {
      await this.compact();
    } catch (error) {
      this.retryAt = this.sealedBytes + this.limit;
      if (!this.stopping.signal.aborted) {
        this.options.onError(new CompactionError(this.options.storage.folder, error));
      }
    }
    this.running = undefined;
    // Nobody may save for hours, and what was saved meanwhile can be large already.
    if (this.isAsked && !this.stopping.signal.aborted) this.consider();
  }

  private async compact(): Promise<void> {
    const { storage, platform, seal } = this.options;
    const { signal } = this.stopping;
    const sealed = await seal();
    if (!sealed) return;
    this.sealedBytes += sealed.sealedBytes;
    const { folder, database, files } = storage;
    const { generation } = sealed;
    try {
      const bytes = await platform.snapshots.build({ folder, database, generation }, signal);
      signal.throwIfAborted();
      await this.install(generation, bytes);
    } catch (error) {
      await files.remove(storage.nextSnapshot);
      throw error;
    }
  }

  private async install(generation: number, bytes: number): Promise<void> {
    const { storage, lock } = this.options;
    const { files, snapshot, snapshotBackup, nextSnapshot } = storage;
    if (!(await lock.confirm())) throw new Error('Another process is the writer now.');
    // A crash between the two leaves the backup, from which the journals lead to the same conversations.
    await files.move(snapshot, snapshotBackup);
    await files.move(nextSnapshot, snapshot);
    const backup = this.baseGeneration;
    this.baseGeneration = generation;
    this.baseBytes = bytes;
    this.sealedBytes = 0;
    this.retryAt = 0;
    for (const old of await storage.journals()) if (old < backup) await files.remove(storage.journal(old));
  }
}
