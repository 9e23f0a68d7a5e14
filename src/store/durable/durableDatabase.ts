import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { ClosedError } from '../../engine/errors.ts';
import { FilesLostError } from '../../host/files.ts';
import { delay, untilDone } from '../../host/timers.ts';
import type { Connection, Group } from '../sqlite/connection.ts';
import { LiveReader, type Database, type Transaction } from '../sqlite/database.ts';
import { BackgroundIndexing, Poller } from './backgroundWork.ts';
import { beginWriting } from './beginWriting.ts';
import { Compaction } from './compaction.ts';
import {
  NotTheWriterError,
  StorageClearedError,
  StorageWriteError,
  readOnlyError,
  reasonOf,
  type OwnAccess,
} from './storageErrors.ts';
import { GroupCommit, type Reverted } from './groupCommit.ts';
import { hasReached, type JournalPoint } from './journal.ts';
import { JournalWriter, sealJournal, type Sealing } from './journalWriter.ts';
import {
  asOpeningError,
  sourceOf,
  tryToLock,
  type DurableDatabaseOptions,
} from './durableDatabaseOptions.ts';
import { loadReplica, type Replica } from './replica.ts';

/** Writes are usually visible at once; only a shared file system may delay them. */
const REACH_MS = 20;

/**
 * How long changes that the writer has confirmed may take to become visible, in milliseconds. Later than this the files
 * are no longer those that it writes.
 */
const REACH_LIMIT_MS = 60_000;

/** How long to wait before trying again when the files could not be prepared for writing, as on a full disk. */
const RETRY_MS = 5_000;

interface Writing {
  readonly journal: JournalWriter;
  readonly compaction: Compaction;
}

/**
 * A database in memory, made durable by a snapshot and journals of every transaction since. A transaction resolves
 * once it is on disk. One process writes; others follow its writes, and take over when it is gone.
 */
export class DurableDatabase extends LiveReader implements Database {
  private readonly accessChanged = new Emitter<OwnAccess>();
  private readonly refreshed = new Emitter<undefined>();
  private readonly rewritten = new Emitter<undefined>();
  private readonly commits = new GroupCommit<JournalPoint>({
    append: (group) => this.append(group),
    revert: (cause) => this.revert(cause),
  });
  private readonly indexing = new BackgroundIndexing(
    () => this.live(),
    (error) => this.options.onError(error),
  );
  private writing: Writing | undefined;
  private currentAccess: OwnAccess = { kind: 'other-writer' };
  private readonly poller = new Poller(
    () => this.catchUp(),
    (error) => this.options.onError(error),
  );
  private stamp = '';
  /** Memory holds changes that the files do not. */
  private isStale = false;
  private retryAt = 0;
  private lossWatch: Disposable | undefined;
  /** Resolves when this process has finished its previous role as the writer. */
  private retired: Promise<void> = Promise.resolve();
  private readonly reaching = new Set<Promise<void>>();
  private closed = false;

  private constructor(
    private readonly options: DurableDatabaseOptions,
    private replica: Replica,
  ) {
    super();
  }

  /** Fires when this process becomes the writer, or can no longer write. */
  readonly onDidChangeAccess = this.accessChanged.event;
  /** Fires when memory has changes of another process: anything may have changed. */
  readonly onDidRefresh = this.refreshed.event;
  /** Fires when this process has written removed files again; files of others in the folder are gone. */
  readonly onDidRewrite = this.rewritten.event;
  /** Changes of other processes are announced separately, so reading them fires no event. */
  hearsOfChanges = false;

  /** @throws errors of reading the files; damage is passed to `onRecovery`, and obstacles to writing to `access` */
  static async open(options: DurableDatabaseOptions): Promise<DurableDatabase> {
    const { storage, lock, onRecovery } = options;
    try {
      await storage.files.ensureFolder(storage.folder);
      const access = await tryToLock(lock);
      const isWriter = access.kind === 'writer';
      const replica = await loadReplica(sourceOf(options), isWriter);
      const database = new DurableDatabase(options, replica);
      if (isWriter) await database.beginWriting();
      else database.follow(access);
      database.indexing.start();
      database.lossWatch = storage.files.loss?.onDidLose(() => database.noticeLoss());
      const { damage } = replica;
      // A writer has handled and reported it. Next to another writer it may be temporary.
      if (damage && access.kind === 'not-writable') onRecovery({ outcome: damage.outcome, keptAside: [] });
      return database;
    } catch (error) {
      await lock.release();
      throw asOpeningError(error);
    }
  }

  get access(): OwnAccess {
    return this.currentAccess;
  }

  get isReadOnly(): boolean {
    return !this.isWriter;
  }

  get isWriter(): boolean {
    return this.currentAccess.kind === 'writer';
  }

  async transaction<T>(work: (transaction: Transaction) => T): Promise<T> {
    return (await this.transact(work)).result;
  }

  /** As `transaction`. @returns its result, and the journal point from which the files hold it */
  async transact<T>(
    work: (transaction: Transaction) => T,
  ): Promise<{ readonly result: T; readonly point: JournalPoint }> {
    while (this.commits.isHeld) await this.commits.released();
    const connection = this.live();
    if (this.currentAccess.kind !== 'writer') {
      throw readOnlyError(this.options.storage.folder, this.currentAccess);
    }
    const { result, written } = connection.transact(work, this.options.sizeLimit);
    const point = written.length > 0 ? await this.commits.add(written) : this.point;
    return { result, point };
  }

  /** Resolves once everything in memory is on disk. @returns where it ends */
  async settled(): Promise<JournalPoint> {
    await this.commits.add([]);
    return this.point;
  }

  /** The point up to which this process has written or read the files. */
  get point(): JournalPoint {
    const { journal } = this.writing ?? {};
    return journal && !journal.isEmpty ? journal.point : this.replica.point;
  }

  /** Reads until memory has the changes up to a point; the writer's always has. */
  async reach(point: JournalPoint): Promise<void> {
    const reading = this.readTo(point);
    this.reaching.add(reading);
    try {
      await reading;
    } catch (error) {
      throw error instanceof FilesLostError ? this.cleared(error.message) : error;
    } finally {
      this.reaching.delete(reading);
    }
  }

  private async readTo(point: JournalPoint): Promise<void> {
    // The changes may have been in files that are lost: what is only in memory has no point in them.
    const isThere = (): boolean =>
      this.closed || this.isWriter || (!this.replica.hasLostFiles && hasReached(this.replica.point, point));
    const end = performance.now() + REACH_LIMIT_MS;
    while (!isThere()) {
      await this.poller.between(async () => {
        if (!isThere()) await this.readOn(false);
      });
      // The writer may have written them again; if not, nobody has the changes any more.
      const isLost = this.replica.hasLostFiles && !isThere();
      if (isLost || performance.now() > end) throw new FilesLostError();
      if (!isThere()) await delay(REACH_MS);
    }
  }

  /** Checks now for changes, and whether this process can become the writer. */
  look(): Promise<void> {
    return this.poller.now();
  }

  /** Then opening has no journal to repeat. Errors are reported to `onError`. */
  async compact(): Promise<void> {
    if (this.writing) await untilDone(this.writing.compaction.run());
  }

  /** Nothing of it runs any more once this has settled, even if it fails. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.accessChanged.dispose();
    this.refreshed.dispose();
    this.rewritten.dispose();
    this.lossWatch?.dispose();
    this.poller.stop();
    this.indexing.dispose();
    await Promise.allSettled(this.reaching);
    await this.poller.idle();
    await this.commits.idle();
    try {
      await this.writing?.compaction.close();
      await this.writing?.journal.close();
    } finally {
      await this.retired;
      this.replica.connection.close();
      await this.options.lock.release();
    }
  }

  protected live(): Connection {
    if (this.closed) throw new ClosedError('database');
    return this.replica.connection;
  }

  private async append(group: Group): Promise<JournalPoint> {
    const { writing } = this;
    if (!writing || !(await this.options.lock.confirm())) throw new NotTheWriterError();
    if (group.length > 0) await writing.journal.append(group);
    else await writing.journal.look();
    writing.compaction.consider();
    return writing.journal.point;
  }

  /** Reverts to the state on disk: unwritten changes, and changes built on them, did not happen. */
  private async revert(cause: unknown): Promise<Reverted<JournalPoint>> {
    const { storage, lock, onError } = this.options;
    const { writing } = this;
    if (cause instanceof FilesLostError && lock.isHeld) return this.rewrite();
    this.isStale = true;
    try {
      try {
        if (lock.isHeld) await writing?.journal.cutToAcknowledged();
      } finally {
        await writing?.journal.close();
      }
      await this.reload();
      const { journal, damage } = this.replica;
      if (!writing || !journal || damage || !lock.isHeld) throw new NotTheWriterError();
      // A snapshot made at the same time comes from files that do not contain this write.
      this.writing = { ...writing, journal: await JournalWriter.resume(storage, journal) };
      this.indexing.start();
    } catch (error) {
      if (error instanceof FilesLostError) return this.rewrite();
      onError(error);
      const reason = reasonOf(cause);
      this.follow(lock.isHeld ? { kind: 'not-writable', reason } : { kind: 'other-writer' });
      this.retire();
      this.refreshed.fire(undefined);
    }
    return {
      error: cause instanceof NotTheWriterError ? cause : new StorageWriteError(storage.folder, cause),
    };
  }

  /**
   * Only memory is left of the saved data: it is written, including the changes to be appended. A missing folder is not
   * made: it may be on a disk that comes back.
   */
  private async rewrite(): Promise<Reverted<JournalPoint>> {
    const { writing, replica } = this;
    this.writing = undefined;
    replica.loseFiles(writing?.journal.generation ?? 0);
    // Not awaited: it may wait for a task that waits for this. Nothing it writes is used any more.
    this.retired = abandon(writing).catch(this.options.onError);
    // The lock may have been one of the files.
    const access = await tryToLock(this.options.lock);
    // Another process writes what it has in memory, to which these changes do not belong.
    this.isStale = access.kind === 'other-writer';
    if (access.kind === 'writer') await this.beginWriting();
    else this.follow(access);
    if (this.isWriter) return { end: this.point };
    if (this.isStale) return { error: new NotTheWriterError() };
    const { currentAccess: current } = this;
    return { error: this.cleared(current.kind === 'not-writable' ? current.reason : current.kind) };
  }

  /** @param reason why the files could not be written again */
  private cleared(reason: string): StorageClearedError {
    const { files, folder } = this.options.storage;
    return new StorageClearedError(files.loss ? undefined : folder, reason);
  }

  /** The writer's next append, or a reader's next check, finds out what to do. */
  private noticeLoss(): void {
    if (this.closed) return;
    (this.isWriter ? this.commits.add([]) : this.look()).catch(this.options.onError);
  }

  /** Makes this process the writer: it has the lock, and memory has everything in the files. */
  private async beginWriting(): Promise<void> {
    const { storage, platform, lock, now, onRecovery, onError } = this.options;
    const { journalLimit, quietMs, closeWithinMs } = this.options;
    const { crc32 } = platform;
    const { replica } = this;
    if (replica.isNewer) {
      await lock.release();
      this.follow({ kind: 'newer-version' });
      return;
    }
    try {
      const { journal, report, ...base } = await beginWriting(storage, replica, { crc32, now: now() });
      const parts = {
        storage,
        crc32,
        lock,
        onError,
        journalLimit,
        quietMs,
        closeWithinMs,
        snapshots: platform.snapshots,
        journal: () => this.writing?.journal,
      };
      const sealing = {
        storage,
        crc32,
        commits: this.commits,
        journal: parts.journal,
        goOnWith: (fresh: JournalWriter) => {
          if (this.writing) this.writing = { ...this.writing, journal: fresh };
        },
        store: () => this.replica.store,
        content: () => this.replica.connection.export(),
      };
      const seal: Sealing = (takesContent) => sealJournal(sealing, takesContent);
      const compaction = new Compaction({ ...parts, seal }, base);
      this.writing = { journal, compaction };
      this.poller.stop();
      this.changeAccess({ kind: 'writer' });
      if (report) onRecovery(report);
      if (report?.outcome === 'written-anew') this.rewritten.fire(undefined);
      compaction.consider();
    } catch (error) {
      onError(error);
      await lock.release();
      this.follow({ kind: 'not-writable', reason: reasonOf(error) });
    }
  }

  private retire(): void {
    const { writing } = this;
    const { lock } = this.options;
    this.writing = undefined;
    const retiring = async (): Promise<void> => {
      await writing?.compaction.abandon();
      await lock.release();
    };
    this.retired = retiring().catch(this.options.onError);
  }

  /** Reads the writer's changes, and becomes the writer when possible. */
  private follow(access: OwnAccess): void {
    if (this.closed) return;
    const { retryMs = RETRY_MS } = this.options;
    this.retryAt = performance.now() + (access.kind === 'not-writable' ? retryMs : 0);
    this.changeAccess(access);
    this.poller.start();
  }

  private async catchUp(): Promise<void> {
    if (this.closed || this.isWriter) return;
    const access = await this.nextAccess();
    const isWriter = access.kind === 'writer';
    const stamp = await this.replica.stamp();
    if (stamp === 'lost') {
      // Only memory is left: the writer writes it, and the others wait for the writer.
      this.replica.loseFiles(0);
      if (isWriter) await this.beginWriting();
      else this.changeAccess(access);
      return;
    }
    const isRead = stamp === this.stamp && !this.isStale && !this.replica.hasLostFiles;
    if (!isWriter && isRead) {
      this.changeAccess(access);
      return;
    }
    const progress = await this.readOn(isWriter);
    this.stamp = stamp;
    if (isWriter) await this.beginWriting();
    else this.changeAccess(access);
    if (isWriter || (progress !== 'unchanged' && !this.hearsOfChanges)) this.refreshed.fire(undefined);
  }

  private async readOn(isAlone: boolean): Promise<'unchanged' | 'changed' | 'diverged'> {
    const progress = this.isStale ? 'diverged' : await this.replica.catchUp(isAlone);
    if (progress === 'diverged') await this.reload();
    if (progress !== 'unchanged') this.indexing.start();
    return progress;
  }

  private async nextAccess(): Promise<OwnAccess> {
    await this.retired;
    if (this.replica.isNewer) return { kind: 'newer-version' };
    return performance.now() < this.retryAt ? this.currentAccess : tryToLock(this.options.lock);
  }

  private async reload(): Promise<void> {
    const before = this.replica;
    const replica = await loadReplica(sourceOf(this.options), this.options.lock.isHeld);
    // Memory is not replaced by nothing.
    if (replica.isEmpty && !replica.damage && (this.writing !== undefined || !before.isEmpty)) {
      replica.connection.close();
      throw new FilesLostError();
    }
    this.replica = replica;
    this.isStale = false;
    before.connection.close();
  }

  private changeAccess(access: OwnAccess): void {
    const isSame = this.currentAccess.kind === access.kind;
    this.currentAccess = access;
    if (!isSame) this.accessChanged.fire(access);
  }
}

/** Ends what a process does only as the writer. */
async function abandon(writing: Writing | undefined): Promise<void> {
  await writing?.compaction.abandon();
  await writing?.journal.close();
}
