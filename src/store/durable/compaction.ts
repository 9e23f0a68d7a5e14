import type { Crc32 } from '../../platform/checksum.ts';
import type { ProgramLock } from '../../platform/locks.ts';
import type { SnapshotBuilder } from '../../platform/snapshots.ts';
import { later, untilDone, type BackgroundTimer } from '../../platform/timers.ts';
import { CompactionError } from './storageErrors.ts';
import type { Replica } from './replica.ts';
import type { Sealing } from './sealJournal.ts';
import { sizeOf, writeSnapshotInSteps } from './snapshot.ts';
import type { StorageFiles } from './storageFiles.ts';

/** How large the journals may become beside a snapshot. Repeating 10 MB takes a good part of a second. */
const MIN_JOURNAL_BYTES = 1_000_000;
const MAX_JOURNAL_BYTES = 10_000_000;

/** After so long without a save, what was saved becomes part of the database file, so that other programs see it there. */
const QUIET_MS = 60_000;

/** A database of up to so many bytes is written by this thread when it is closed: that takes some milliseconds. */
const SMALL_BYTES = 4_000_000;

export interface CompactionOptions {
  readonly storage: StorageFiles;
  readonly crc32: Crc32;
  /** Makes snapshots away from the thread that saves; left out: this thread makes them of what is in memory. */
  readonly snapshots?: SnapshotBuilder | undefined;
  readonly lock: ProgramLock;
  readonly seal: Sealing;
  /** The journal that is written. */
  readonly journal: () => { readonly size: number; readonly isEmpty: boolean } | undefined;
  readonly onError: (error: unknown) => void;
  /** In bytes, instead of a fraction of the snapshot. */
  readonly journalLimit?: number | undefined;
  /** After how long without a save a snapshot is made, in milliseconds; default: a minute. */
  readonly quietMs?: number | undefined;
  /** How long closing may take for the last snapshot, in milliseconds; default: as long as it takes. */
  readonly closeWithinMs?: number | undefined;
}

/** Makes a new snapshot of the old one and the journals since, while saving goes on. */
export class Compaction {
  private readonly stopping = new AbortController();
  private quiet: BackgroundTimer | undefined;
  private isClosing = false;
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

  /** Begins when the journals have become large, or after a while in which nothing is saved; while one is made, after that. */
  consider(): void {
    this.quiet?.stop();
    if (this.isClosing) return;
    this.isAsked = this.running !== undefined;
    if (this.isAsked) return;
    const total = this.sealedBytes + (this.options.journal()?.size ?? 0);
    // Earlier versions made no database file before the journal was large.
    const isMissing = this.baseBytes === 0 && this.retryAt === 0 && this.hasMore;
    if (isMissing || total > Math.max(this.limit, this.retryAt)) void this.run();
    else if (this.hasMore) {
      this.quiet = later(this.options.quietMs ?? QUIET_MS, () => void this.run());
    }
  }

  /** Makes a new snapshot now. What goes wrong is reported to `onError`. */
  run(): Promise<void> {
    this.running ??= this.attempt();
    return this.running;
  }

  /**
   * Makes what the journals hold part of the database file, when nothing is saved any more. What is not done in time is
   * given up: the files it is made from are all there.
   */
  async close(): Promise<void> {
    const { closeWithinMs } = this.options;
    const limit = closeWithinMs === undefined ? undefined : later(closeWithinMs, () => this.stopping.abort());
    this.isClosing = true;
    this.quiet?.stop();
    await untilDone(this.finish());
    limit?.stop();
  }

  /** What is under way is given up, because another process is the writer now. */
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
    // Nobody may save for hours, and what was saved meanwhile can be large already.
    if (this.isAsked) this.consider();
  }

  private async compact(): Promise<void> {
    const { storage, snapshots, lock, seal } = this.options;
    const { signal } = this.stopping;
    // Nothing may have been saved for long, so that another process may have taken over and begun this journal.
    if (!(await lock.confirm())) return;
    const takesContent = !snapshots || (this.isClosing && this.isSmall);
    const sealed = await seal(takesContent);
    if (!sealed) return;
    this.sealedBytes += sealed.sealedBytes;
    const { folder, database, files } = storage;
    const { generation, content } = sealed;
    try {
      const bytes = content
        ? await this.write(content, generation)
        : await snapshots?.build({ folder, database, generation }, signal);
      signal.throwIfAborted();
      if (bytes !== undefined) await this.install(generation, bytes);
    } catch (error) {
      await files.remove(storage.nextSnapshot);
      throw error;
    }
  }

  /** Nothing is saved any more then: that is sooner done than starting a thread. */
  private get isSmall(): boolean {
    return this.baseBytes + this.sealedBytes + (this.options.journal()?.size ?? 0) <= SMALL_BYTES;
  }

  /** @returns the size of the file in bytes */
  private async write(content: Uint8Array, generation: number): Promise<number> {
    const { storage, crc32 } = this.options;
    const parts = await writeSnapshotInSteps(content, generation, crc32);
    await storage.files.write(storage.nextSnapshot, parts);
    return sizeOf(parts);
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
