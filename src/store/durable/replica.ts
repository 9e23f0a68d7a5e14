import type { SqlJsStatic } from 'sql.js';
import type { Crc32 } from '../../host/platform.ts';
import { FilesLostError } from '../../host/files.ts';
import type { Connection } from '../sqlite/connection.ts';
import { migrate, SCHEMA_VERSION } from '../sqlite/schema.ts';
import { openBase, type Base } from './base.ts';
import type { RecoveryReport } from './storageErrors.ts';
import {
  headerAfter,
  HEADER_BYTES,
  JournalPosition,
  type JournalHeader,
  type JournalPart,
  type JournalPoint,
} from './journal.ts';
import type { StorageFiles } from './storageFiles.ts';

export interface ReplicaSource {
  readonly sqlite: SqlJsStatic;
  readonly storage: StorageFiles;
  readonly crc32: Crc32;
  /** Leaves out this journal and later ones. */
  readonly before?: number;
}

/** What could not be read, and what is in memory instead. */
export interface Damage {
  readonly outcome: RecoveryReport['outcome'];
  readonly paths: readonly string[];
}

/** Why reading stopped. `foreign`: the journal belongs to another database. */
type Stop = { readonly why: 'newer' } | { readonly why: 'damaged' | 'foreign'; readonly generation: number };

/** Apparent damage in files that the writer may be moving is read again before it counts as damage. */
const ATTEMPTS_DURING_WRITES = 3;

/** The contents of the files, with the tables of this program. @param isAlone no other process writes */
export async function loadReplica(source: ReplicaSource, isAlone: boolean): Promise<Replica> {
  for (let attempt = 1; ; attempt++) {
    const replica = await Replica.load(source, isAlone);
    if (isAlone || !replica.damage || attempt === ATTEMPTS_DURING_WRITES) {
      replica.migrate();
      return replica;
    }
    replica.connection.close();
  }
}

/** The contents of the files in memory: the snapshot and the journals that follow it, as far as they are readable. */
export class Replica {
  private last: JournalPosition | undefined;
  private isTorn = false;
  private stop: Stop | undefined;
  private sealed = 0;
  private highest: number;
  private readonly tornJournals: JournalPosition[] = [];
  private lost: string[] = [];
  /** Files of another database that reading does not come to. */
  private strays: string[] = [];
  private knownStore: string | undefined;
  private isOnlyCopy = false;

  private constructor(
    private readonly source: ReplicaSource,
    private readonly base: Base,
  ) {
    this.highest = this.baseGeneration;
    this.knownStore = base.store;
    if (base.isNewer) this.stop = { why: 'newer' };
  }

  /**
   * Damage is not thrown, but reported in `damage`.
   * @param isAlone no other process writes: the last journal is the one to continue, even if it is still empty
   */
  static async load(source: ReplicaSource, isAlone: boolean): Promise<Replica> {
    const replica = new Replica(source, await openBase(source.sqlite, source.storage, source.crc32));
    try {
      await replica.readOn(isAlone);
      return replica;
    } catch (error) {
      replica.connection.close();
      throw error;
    }
  }

  get connection(): Connection {
    return this.base.connection;
  }

  /** A newer version of this program wrote the files; data that only that version understands is missing here. */
  get isNewer(): boolean {
    return this.stop?.why === 'newer';
  }

  /** The end of the journal that was read last; undefined when there is none yet. */
  get journal(): JournalPosition | undefined {
    return this.last;
  }

  get point(): JournalPoint {
    // Memory holds everything before the first journal that follows.
    if (this.isOnlyCopy) return { generation: this.highest + 1, size: 0 };
    return { generation: this.reached, size: this.last?.size ?? 0 };
  }

  /** Earlier journals whose last line was not written completely. */
  get torn(): readonly JournalPosition[] {
    return this.tornJournals;
  }

  /** The generation of the snapshot in use; 0 when there is none. */
  get baseGeneration(): number {
    return this.base.generation ?? 0;
  }

  /** The identity of the store; undefined when only earlier versions wrote the files. */
  get store(): string | undefined {
    return this.knownStore;
  }

  /** The header of the journal that follows the snapshot. */
  get firstHeader(): Omit<JournalHeader, 'schema'> {
    const { store, journal } = this.base;
    return headerAfter({ generation: this.baseGeneration, store, journal });
  }

  /** True when there was nothing to read, and nothing is lost. */
  get isEmpty(): boolean {
    return !this.isOnlyCopy && this.baseBytes === 0 && !this.last;
  }

  /** The size of that snapshot. */
  get baseBytes(): number {
    return this.base.bytes;
  }

  /** The size of the journals between the snapshot and the last one. */
  get sealedBytes(): number {
    return this.sealed;
  }

  /** The highest generation of any file, readable or not. */
  get highestGeneration(): number {
    return this.highest;
  }

  /** Only memory holds the contents of the files now. @param generation the highest that any of them had */
  loseFiles(generation: number): void {
    this.isOnlyCopy = true;
    this.highest = Math.max(this.highest, this.reached, generation);
  }

  get hasLostFiles(): boolean {
    return this.isOnlyCopy;
  }

  get damage(): Damage | undefined {
    if (this.isOnlyCopy) return { outcome: 'written-anew', paths: [] };
    const paths = [...this.base.damaged, ...this.strays, ...this.lost];
    if (paths.length === 0) return undefined;
    if (this.base.damaged.length === 0) {
      return { outcome: this.hasForeign ? 'foreign-journal' : 'journal-cut', paths };
    }
    const isEmpty = this.base.bytes === 0 && !this.last;
    return { outcome: isEmpty ? 'new-database' : 'backup-used', paths };
  }

  /** Migrates the tables to those of this program, once everything written for earlier ones has been read. */
  migrate(): void {
    if (!this.isNewer) migrate(this.connection);
  }

  /**
   * Looks for files of another database that reading does not come to: they would be removed or overwritten with the
   * earlier ones of this database. A journal is of use only with its snapshot, which may now be the backup.
   */
  async findStrays(): Promise<void> {
    const { storage } = this.source;
    const older = (await storage.journals()).filter((generation) => generation < this.baseGeneration);
    const paths = older.map((generation) => storage.journal(generation));
    const stores = await Promise.all(paths.map((path) => this.storeOf(path)));
    const isForeign = stores.some((store) => store !== undefined && store !== this.base.store);
    if (!isForeign && this.stop?.why !== 'foreign') return;
    this.strays = (await this.hasUnusedBackup()) ? [storage.snapshotBackup, ...paths] : paths;
  }

  /** The identity of a journal's store, if it names one. */
  private async storeOf(path: string): Promise<string | undefined> {
    const { storage, crc32 } = this.source;
    const bytes = await storage.files.read(path, { length: HEADER_BYTES });
    const position = bytes && JournalPosition.after(bytes, crc32);
    return position instanceof JournalPosition ? position.header.store : undefined;
  }

  private async hasUnusedBackup(): Promise<boolean> {
    const { files, snapshotBackup } = this.source.storage;
    if (this.base.path === snapshotBackup || this.base.damaged.includes(snapshotBackup)) return false;
    return (await files.stamp(snapshotBackup)) !== undefined;
  }

  /** A value that changes once there is more to read; `lost` when all files were removed. */
  async stamp(): Promise<string> {
    const { storage } = this.source;
    const journals = [this.reached, this.reached + 1].map((generation) => storage.journal(generation));
    try {
      const stamps = await Promise.all(
        [storage.snapshot, ...journals].map((path) => storage.files.stamp(path)),
      );
      const isGone = !this.isEmpty && stamps.every((stamp) => stamp === undefined);
      return isGone && (await storage.isEmpty()) ? 'lost' : stamps.join(' ');
    } catch (error) {
      if (error instanceof FilesLostError) return 'lost';
      throw error;
    }
  }

  /** @returns `diverged` when memory does not lead to the contents of the files: they must be read from scratch */
  async catchUp(isAlone: boolean): Promise<'unchanged' | 'changed' | 'diverged'> {
    if (this.isOnlyCopy) return 'diverged';
    // Memory already has the tables of this program, and the following entries may be for earlier ones.
    if (this.last && this.last.header.schema !== SCHEMA_VERSION) return 'diverged';
    const isChanged = await this.readOn(isAlone);
    if (this.damage || this.isNewer) return 'diverged';
    return isChanged ? 'changed' : 'unchanged';
  }

  /** Reads additions to the last journal, and every journal after it. @returns whether there were any */
  private async readOn(isAlone: boolean): Promise<boolean> {
    if (this.isNewer) return false;
    const { storage, before = Infinity } = this.source;
    const generations = (await storage.journals()).filter((generation) => generation < before);
    this.highest = Math.max(this.highest, ...generations);
    let isChanged = await this.readTail();
    while (this.stop === undefined && generations.includes(this.reached + 1)) {
      const isSealed = isAlone || generations.includes(this.reached + 2);
      if (!(await this.readNext(isSealed))) break;
      isChanged = true;
    }
    const from = this.firstLost;
    this.lost = generations.filter((generation) => generation >= from).map((each) => storage.journal(each));
    return isChanged;
  }

  /** The journal that was read last, or the one before the first. */
  private get reached(): number {
    return this.last?.header.generation ?? this.baseGeneration - 1;
  }

  /** No journal from this one on can be used. */
  private get firstLost(): number {
    switch (this.stop?.why) {
      case 'newer':
        return Infinity;
      case 'damaged':
      case 'foreign':
        return this.stop.generation;
      case undefined:
        // Nothing leads to journals after a gap.
        return this.reached + 2;
    }
  }

  private async readTail(): Promise<boolean> {
    if (!this.last) return false;
    const { storage } = this.source;
    const bytes = await storage.files.read(storage.journal(this.reached), { start: this.last.size });
    if (bytes) return this.apply(this.last, this.last.read(bytes));
    this.stop = { why: 'damaged', generation: this.reached };
    return false;
  }

  /** @param isSealed nothing is added to the previous journal any more, even if this one is still empty */
  private async readNext(isSealed: boolean): Promise<boolean> {
    const { storage, crc32 } = this.source;
    const generation = this.reached + 1;
    const bytes = await storage.files.read(storage.journal(generation));
    if (!bytes) return false;
    const position = JournalPosition.after(bytes, crc32);
    const stop = this.stopAt(position, generation);
    if (stop || typeof position === 'string') {
      this.stop = stop;
      return false;
    }
    const part = position.read(bytes.subarray(position.size));
    const isBegun = part.groups.length > 0 || part.end !== 'clean';
    if (!isBegun && !isSealed) return false;
    // The previous journal was complete before this one was begun, but maybe not yet when it was read.
    if (isBegun) await this.readTail();
    if (isBegun && this.isTorn) this.stop ??= { why: 'damaged', generation: this.reached };
    if (part.after !== undefined && this.last && this.last.size < part.after) {
      // The end of the previous journal is missing, as in a copy that was made while it grew.
      this.stop ??= { why: 'damaged', generation };
    }
    if (this.stop) return false;
    if (this.isTorn && this.last) this.tornJournals.push(this.last);
    this.sealed += this.last?.size ?? 0;
    this.last = position;
    this.knownStore = position.header.store ?? this.knownStore;
    this.apply(position, part);
    return true;
  }

  /** Why a journal cannot be read, if it cannot. */
  private stopAt(position: ReturnType<typeof JournalPosition.after>, generation: number): Stop | undefined {
    if (position === 'newer') return { why: 'newer' };
    if (position === 'damaged' || position.header.generation !== generation) {
      return { why: 'damaged', generation };
    }
    if (!this.continues(position.header)) return { why: 'foreign', generation };
    return position.header.schema > SCHEMA_VERSION ? { why: 'newer' } : undefined;
  }

  /** Whether a journal belongs to what was read before it. */
  private continues({ store, id }: JournalHeader): boolean {
    const { base, knownStore } = this;
    // Nothing says to which database a journal without a snapshot belongs.
    if (!this.last && base.path !== undefined) return store === base.store && id === base.journal;
    // An earlier version, which writes no identity, may have written in between.
    return store === undefined || knownStore === undefined || store === knownStore;
  }

  private get hasForeign(): boolean {
    return this.stop?.why === 'foreign' || this.strays.length > 0;
  }

  private apply(position: JournalPosition, { groups, end }: JournalPart): boolean {
    this.isTorn = end === 'torn';
    if (groups.length > 0) migrate(this.connection, position.header.schema);
    const repeated = groups.length > 0 ? this.connection.replay(groups) : 0;
    // A group that does not fit belongs to another database, or is damaged in a way that the checksum does not show.
    if (end === 'damaged' || repeated < groups.length) {
      this.stop = { why: 'damaged', generation: position.header.generation };
    }
    return repeated > 0;
  }
}
