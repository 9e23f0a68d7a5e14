import type { Crc32, ProgramLock, SnapshotBuilder } from '../../host/platform.ts';
import { later, untilDone, type BackgroundTimer } from '../../host/timers.ts';
import { CompactionError } from './storageErrors.ts';
import type { Replica } from './replica.ts';
import type { Sealing } from './journalWriter.ts';
import { sizeOf, writeSnapshotInSteps, type SnapshotFooter } from './snapshot.ts';
import type { StorageFiles } from './storageFiles.ts';

/** The size that journals may reach next to a snapshot. Repeating 10 MB takes a good part of a second. */
const MIN_JOURNAL_BYTES = 1_000_000;
const MAX_JOURNAL_BYTES = 10_000_000;

/** After this long without a save, journals are merged into the database file, for other programs to see. */
const QUIET_MS = 60_000;

/** A database of up to this size is written by this thread when it is closed: that takes some milliseconds. */
const SMALL_BYTES = 4_000_000;

export interface CompactionOptions {
  readonly storage: StorageFiles;
  readonly crc32: Crc32;
  /** Makes snapshots in another thread; left out: this thread makes them from memory. */
  readonly snapshots?: SnapshotBuilder | undefined;
  readonly lock: ProgramLock;
  readonly seal: Sealing;
  readonly journal: () => { readonly size: number; readonly isEmpty: boolean } | undefined;
  readonly onError: (error: unknown) => void;
  /** In bytes, instead of a fraction of the snapshot. */
  readonly journalLimit?: number | undefined;
  /** The time without a save after which a snapshot is made, in milliseconds; default: a minute. */
  readonly quietMs?: number | undefined;
  /** How long closing may take for the last snapshot, in milliseconds; default: no limit. */
  readonly closeWithinMs?: number | undefined;
}

/** Makes a new snapshot from the old one and the journals since, while saving continues. */
export class Compaction {
  private readonly stopping = new AbortController();
  private quiet: BackgroundTimer | undefined;
  private isClosing = false;
  private running: Promise<void> | undefined;
  private baseGeneration: number;
  private baseBytes: number;
  private sealedBytes: number;
  /** After a failure, the size of the journals at which it is tried again. */
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

  /** Begins when the journals are large, or after a while without a save; if a snapshot is being made, after that. */
  consider(): void {
    this.quiet?.stop();
    if (this.isClosing) return;
    this.isAsked = this.running !== undefined;
    if (this.isAsked) return;
    const total = this.sealedBytes + (this.options.journal()?.size ?? 0);
    // Earlier versions made no database file until the journal was large.
    const isMissing = this.baseBytes === 0 && this.retryAt === 0 && this.hasMore;
    if (isMissing || total > Math.max(this.limit, this.retryAt)) void this.run();
    else if (this.hasMore) {
      this.quiet = later(this.options.quietMs ?? QUIET_MS, () => void this.run());
    }
  }

  /** Errors are reported to `onError`. */
  run(): Promise<void> {
    this.running ??= this.attempt();
    return this.running;
  }

  /** An unfinished merge is abandoned: its source files all still exist. */
  async close(): Promise<void> {
    const { closeWithinMs } = this.options;
    const limit = closeWithinMs === undefined ? undefined : later(closeWithinMs, () => this.stopping.abort());
    this.isClosing = true;
    this.quiet?.stop();
    await untilDone(this.finish());
    limit?.stop();
  }

  async abandon(): Promise<void> {
    this.isClosing = true;
    this.quiet?.stop();
    this.stopping.abort();
    await this.running;
  }

  private async finish(): Promise<void> {
    await this.running;
    if (this.hasMore && !this.stopping.signal.aborted) await this.run();
  }

  /** Something was saved that the snapshot does not hold. */
  private get hasMore(): boolean {
    return this.sealedBytes > 0 || this.options.journal()?.isEmpty === false;
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
    // The next save may be hours away, and the journals may already be large.
    if (this.isAsked) this.consider();
  }

  private async compact(): Promise<void> {
    const { storage, snapshots, lock, seal } = this.options;
    const { signal } = this.stopping;
    // After a long time without a save, another process may have taken over and begun this journal.
    if (!(await lock.confirm())) return;
    const takesContent = !snapshots || (this.isClosing && this.isSmall);
    const sealed = await seal(takesContent);
    if (!sealed) return;
    this.sealedBytes += sealed.sealedBytes;
    const { folder, database, files } = storage;
    const { footer, content } = sealed;
    try {
      const bytes = content
        ? await this.write(content, footer)
        : await snapshots?.build({ folder, database, ...footer }, signal);
      signal.throwIfAborted();
      if (bytes !== undefined) await this.install(footer.generation, bytes);
    } catch (error) {
      await files.remove(storage.nextSnapshot);
      throw error;
    }
  }

  /** Saving has ended by then: writing directly is faster than starting a thread. */
  private get isSmall(): boolean {
    return this.baseBytes + this.sealedBytes + (this.options.journal()?.size ?? 0) <= SMALL_BYTES;
  }

  /** @returns the size of the file in bytes */
  private async write(content: Uint8Array, footer: SnapshotFooter): Promise<number> {
    const { storage, crc32 } = this.options;
    const parts = await writeSnapshotInSteps(content, footer, crc32);
    await storage.files.write(storage.nextSnapshot, parts);
    return sizeOf(parts);
  }

  private async install(generation: number, bytes: number): Promise<void> {
    const { storage, lock } = this.options;
    const { files, snapshot, snapshotBackup, nextSnapshot } = storage;
    if (!(await lock.confirm())) throw new Error('Another process is the writer now.');
    // A crash in between leaves the backup, from which the journals lead to the same conversations.
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
