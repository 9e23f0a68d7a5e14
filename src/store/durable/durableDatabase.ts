import type { SqlJsStatic } from 'sql.js';
import { Emitter } from '../../engine/emitter.ts';
import { ClosedError, ReadOnlyError } from '../../engine/errors.ts';
import type { LogFile } from '../../platform/files.ts';
import type { Connection, WrittenStatement } from '../connection.ts';
import type { Database, SqlParameter, SqlRow, Transaction } from '../database.ts';
import { StorageWriteError, type RecoveryReport } from './errors.ts';
import { JournalEncoder } from './journal.ts';
import { recover, setGeneration, type Recovered } from './recover.ts';
import type { StorageFiles } from './storageFiles.ts';
import type { WriterLock } from './writerLock.ts';

/** How often a reader looks for changes, and whether it can become the writer. */
const FOLLOW_MS = 500;

/** A journal below this is never worth a new snapshot. */
const MIN_COMPACTION_BYTES = 1_000_000;

export interface DurableDatabaseOptions {
  readonly sqlite: SqlJsStatic;
  readonly storage: StorageFiles;
  readonly lock: WriterLock;
  readonly now: () => number;
  /** Gets what was found damaged. */
  readonly onRecovery: (report: RecoveryReport) => void;
  /** Gets what went wrong in the background: following the writer, and writing snapshots. */
  readonly onError: (error: unknown) => void;
}

/** A transaction that is in memory and waits for the disk. */
interface Waiting {
  readonly frame: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A database in memory, made durable by a snapshot and a journal of every transaction since. A transaction resolves
 * once its frame is on the disk; those that come while the disk is busy are written together.
 */
export class DurableDatabase implements Database {
  private readonly accessChanged = new Emitter<{ isReadOnly: boolean }>();
  private readonly refreshed = new Emitter<undefined>();
  private waiting: Waiting[] = [];
  private io: Promise<void> = Promise.resolve();
  private follower: ReturnType<typeof setInterval> | undefined;
  private following: Promise<void> | undefined;
  /** While memory is read anew from the disk, nothing may be written to it. */
  private reverting: Promise<void> | undefined;
  private journal: LogFile | undefined;
  private encoder = new JournalEncoder();
  private generation = 0;
  private snapshotBytes = 0;
  private stamp = '';
  private isCompacting = false;
  private isWriting = false;
  private closed = false;

  private constructor(
    private readonly options: DurableDatabaseOptions,
    private connection: Connection,
  ) {}

  /** Tells when this process becomes the writer. */
  readonly onDidChangeAccess = this.accessChanged.event;
  /** Tells when a reader has read what the writer wrote: anything may have changed. */
  readonly onDidRefresh = this.refreshed.event;

  static async open(options: DurableDatabaseOptions): Promise<DurableDatabase> {
    await options.storage.files.ensureFolder(options.storage.folder);
    const isWriter = await options.lock.tryAcquire();
    try {
      const recovered = await recover(options.sqlite, options.storage, {
        now: options.now(),
        keep: isWriter,
      });
      const database = new DurableDatabase(options, recovered.connection);
      if (isWriter) await database.beginWriting(recovered);
      else await database.beginFollowing();
      return database;
    } catch (error) {
      await options.lock.release();
      throw error;
    }
  }

  /** Until the journal is open, even if the lock is held: memory may still be behind the files. */
  get isReadOnly(): boolean {
    return !this.isWriting;
  }

  all(sql: string, parameters?: readonly SqlParameter[]): SqlRow[] {
    return this.live().all(sql, parameters);
  }

  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[] {
    return this.live().map(sql, parameters, read);
  }

  get(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined {
    return this.live().get(sql, parameters);
  }

  async transaction<T>(work: (transaction: Transaction) => T): Promise<T> {
    await this.reverting;
    const connection = this.live();
    if (this.isReadOnly) {
      throw new ReadOnlyError(
        'Another window is writing to these conversations. Close it, and this one takes over within seconds.',
      );
    }
    const { result, written } = connection.transact(work);
    if (written.length > 0) await this.persist(written);
    return result;
  }

  /** Writes a new snapshot, so that opening has no journal to repeat. */
  async compact(): Promise<void> {
    if (this.isCompacting || this.isReadOnly) return;
    this.isCompacting = true;
    try {
      await this.writeSnapshot();
    } finally {
      this.isCompacting = false;
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.follower);
    await this.following;
    await this.io;
    await this.journal?.close();
    await this.options.lock.release();
    this.accessChanged.dispose();
    this.refreshed.dispose();
    this.connection.close();
  }

  private live(): Connection {
    if (this.closed) throw new ClosedError('database');
    return this.connection;
  }

  private persist(written: readonly WrittenStatement[]): Promise<void> {
    const frame = this.encoder.encode(written);
    return new Promise((resolve, reject) => {
      this.waiting.push({ frame, resolve, reject });
      if (this.waiting.length === 1) this.enqueue(() => this.flush());
    });
  }

  /** Everything done to the files is done one after the other. */
  private enqueue(work: () => Promise<void>): void {
    this.io = this.io.then(work).catch(this.options.onError);
  }

  private async flush(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length === 0) return;
    const journal = this.journal;
    try {
      if (!journal) throw new ClosedError('journal');
      await journal.append(concatenated(batch.map(({ frame }) => frame)));
    } catch (cause) {
      this.reverting = this.revert(batch, new StorageWriteError(this.options.storage.folder, cause));
      await this.reverting.finally(() => {
        this.reverting = undefined;
      });
      return;
    }
    for (const { resolve } of batch) resolve();
    if (journal.size > Math.max(MIN_COMPACTION_BYTES, this.snapshotBytes / 2)) {
      this.compact().catch(this.options.onError);
    }
  }

  /** Back to what is on the disk: what could not be written has not happened, nor has what was built on it. */
  private async revert(batch: readonly Waiting[], error: StorageWriteError): Promise<void> {
    const lost = [...batch, ...this.waiting];
    this.waiting = [];
    try {
      // Whatever of it reached the file is cut off when the file is read: it ends in a frame that is not whole.
      await this.journal?.truncate(this.journal.size).catch(this.options.onError);
      await this.journal?.close().catch(this.options.onError);
      this.journal = undefined;
      const recovered = await this.recover();
      const before = this.connection;
      this.connection = recovered.connection;
      before.close();
      await this.beginWriting(recovered);
    } finally {
      for (const { reject } of lost) reject(error);
    }
  }

  private recover(): Promise<Recovered> {
    const { sqlite, storage, now } = this.options;
    return recover(sqlite, storage, { now: now(), keep: this.options.lock.isHeld });
  }

  private async beginWriting({ generation, journal, needsSnapshot, report }: Recovered): Promise<void> {
    const { storage, onRecovery } = this.options;
    this.generation = generation;
    if (needsSnapshot) {
      // All that could be read becomes the snapshot of a generation above every file there is.
      this.generation = generation + 1;
      setGeneration(this.connection, this.generation);
      await this.installSnapshot(this.connection.export());
      await storage.files.remove(storage.sealedJournal);
      await storage.files.remove(storage.journalBackup);
    }
    if (journal && !needsSnapshot) {
      this.encoder = JournalEncoder.after(journal.transactions);
      this.journal = await storage.files.openLog(storage.journal);
      // What was being written when the power went was never acknowledged.
      if (this.journal.size > journal.validSize) await this.journal.truncate(journal.validSize);
    } else {
      await this.startJournal();
    }
    this.isWriting = true;
    if (report) onRecovery(report);
  }

  private async startJournal(): Promise<void> {
    const { files, journal } = this.options.storage;
    await files.replace(journal, JournalEncoder.header(this.generation));
    this.encoder = new JournalEncoder();
    this.journal = await files.openLog(journal);
  }

  /**
   * Seals the journal, begins the next, and makes the snapshot between them. Frames that wait already belong to the
   * sealed journal, and all later ones to the next, because nothing can come between the copy and the new encoder.
   */
  private async writeSnapshot(): Promise<void> {
    const { storage } = this.options;
    const connection = this.connection;
    await new Promise<void>((resolve, reject) => {
      this.enqueue(async () => {
        try {
          // Whatever waits is part of the copy below, so it has to be in the sealed journal.
          await this.flush();
          if (this.connection !== connection || this.waiting.length > 0) {
            resolve();
            return;
          }
          setGeneration(connection, this.generation + 1);
          const bytes = connection.export();
          this.generation += 1;
          this.encoder = new JournalEncoder();
          await this.journal?.close();
          this.journal = undefined;
          await storage.files.move(storage.journal, storage.sealedJournal);
          await this.startJournalKeepingEncoder();
          await this.installSnapshot(bytes);
          await storage.files.move(storage.sealedJournal, storage.journalBackup);
          resolve();
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  private async startJournalKeepingEncoder(): Promise<void> {
    const { files, journal } = this.options.storage;
    await files.replace(journal, JournalEncoder.header(this.generation));
    this.journal = await files.openLog(journal);
  }

  private async installSnapshot(bytes: Uint8Array): Promise<void> {
    const { files, snapshot, snapshotBackup } = this.options.storage;
    await files.move(snapshot, snapshotBackup);
    await files.replace(snapshot, bytes);
    this.snapshotBytes = bytes.byteLength;
  }

  /** Reads what the writer writes, and becomes the writer when it is gone. */
  private async beginFollowing(): Promise<void> {
    this.stamp = await this.currentStamp();
    this.follower = setInterval(() => {
      this.following ??= this.follow()
        .catch(this.options.onError)
        .finally(() => {
          this.following = undefined;
        });
    }, FOLLOW_MS);
  }

  private async follow(): Promise<void> {
    const isWriter = await this.options.lock.tryAcquire();
    const stamp = await this.currentStamp();
    if (!isWriter && stamp === this.stamp) return;
    this.stamp = stamp;
    const recovered = await this.recover();
    const before = this.connection;
    this.connection = recovered.connection;
    before.close();
    if (isWriter) {
      clearInterval(this.follower);
      await this.beginWriting(recovered);
      this.accessChanged.fire({ isReadOnly: false });
    }
    this.refreshed.fire(undefined);
  }

  private async currentStamp(): Promise<string> {
    const { files, snapshot, journal } = this.options.storage;
    const stamps = await Promise.all([files.stamp(snapshot), files.stamp(journal)]);
    return stamps.map((stamp) => stamp?.value ?? '').join(' ');
  }
}

function concatenated(frames: readonly Uint8Array[]): Uint8Array {
  const [only] = frames;
  if (only && frames.length === 1) return only;
  const all = new Uint8Array(frames.reduce((size, frame) => size + frame.byteLength, 0));
  let position = 0;
  for (const frame of frames) {
    all.set(frame, position);
    position += frame.byteLength;
  }
  return all;
}
