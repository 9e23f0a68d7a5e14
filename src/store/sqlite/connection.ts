import type { Database as SqlDatabase, SqlJsStatic } from 'sql.js';
import { SaveTooLargeError } from '../../engine/errors.ts';
import { MAX_SAVE_LENGTH } from '../../engine/limits.ts';
import { indexedMessageText } from '../common/messageContent.ts';
import type { Reader, SqlParameter, SqlRow, Transaction } from './database.ts';
import { PageLimit, DatabaseFullError, SIZE_LIMIT } from './sizeLimit.ts';
import { addFunction } from './sqlFunctions.ts';
import { Statements } from './statements.ts';
import { indexTexts, nextPiece, textsIndexedBy, withRange, type KeyRange } from './unindexedTexts.ts';

/** One writing statement of a transaction, as the journal stores and repeats it. */
export interface WrittenStatement {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

/** The approximate size of parameters in a journal, in UTF-16 units. */
export function lengthOf(parameters: readonly SqlParameter[]): number {
  return parameters.reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length : 1), 0);
}

export interface Transacted<T> {
  readonly result: T;
  readonly written: WrittenStatement[];
}

/** Statements that are repeated together or not at all. */
export type Group = readonly WrittenStatement[];

/** @param wasm returns the bytes of `sql-wasm.wasm` */
export async function loadSqlite(wasm: () => Promise<Uint8Array<ArrayBuffer>>): Promise<SqlJsStatic> {
  const [{ default: initSqlJs }, wasmBinary] = await Promise.all([import('sql.js'), wasm()]);
  return initSqlJs({ wasmBinary: wasmBinary.buffer });
}

/** How many small transactions one of SQLite's holds, so that few have to be repeated. */
const MOST_HELD = 100;

/** What a transaction may change to be small: its parameters in UTF-16 units, and its rows. */
const SMALL_LENGTH = 4_000;
const SMALL_ROWS = 20;

/**
 * A transaction of SQLite that is still open, and the statements of those that have ended in it. Ending it costs more
 * than their statements: each page that they change is copied before and written after, to what is memory as well.
 * Every reader sees them at once, and it is journals that make them durable.
 */
interface Held {
  readonly groups: Group[];
  /** The messages that were missing in the word index when it began. */
  readonly unindexed: readonly KeyRange[];
}

/** One SQLite database in memory. It is synchronous, so that transactions cannot interleave. */
export class Connection implements Reader {
  private readonly database: SqlDatabase;
  private readonly statements: Statements;
  private readonly pages: PageLimit;
  private isInTransaction = false;
  private held: Held | undefined;
  /** Messages repeated from journals that are not in the word index yet. */
  private unindexed: readonly KeyRange[] = [];

  /** @param file the bytes of a database file, which this connection takes over; undefined for a new one */
  constructor(sqlite: SqlJsStatic, file?: Uint8Array) {
    this.database = new sqlite.Database(file);
    this.statements = new Statements(this.database, () => this.completeIndex());
    this.pages = new PageLimit(this.database, this.statements);
    addFunction(this.database, 'indexed_text', indexedMessageText);
    // Two or three messages fill a page of the default size badly; this size leaves a quarter less of it empty.
    if (!file) this.database.run('PRAGMA page_size = 8192');
    this.configure();
  }

  all(sql: string, parameters?: readonly SqlParameter[]): SqlRow[] {
    return this.statements.all(sql, parameters);
  }

  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[] {
    return this.statements.map(sql, parameters, read);
  }

  get(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined {
    return this.statements.get(sql, parameters);
  }

  getKept(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined {
    return this.statements.getKept(sql, parameters);
  }

  /**
   * May run `work` twice: at first SQLite itself limits the size, and only if that fails is the growth measured.
   * @param limit the maximum size of the database; statements repeated from journals are exempt
   * @throws SaveTooLargeError when its statements are too large to be stored as one line
   * @throws DatabaseFullError when they do not fit
   */
  transact<T>(work: (transaction: Transaction) => T, limit = SIZE_LIMIT): Transacted<T> {
    if (this.pages.isHeldTo(limit)) {
      try {
        return this.attempt(work);
      } catch (error) {
        if (!isFull(error)) throw error;
      }
    }
    try {
      const growth = this.pages.watchGrowth(limit);
      return this.attempt(work, () => {
        if (growth.isExceeded()) throw new DatabaseFullError(limit.maxBytes);
      });
    } catch (error) {
      throw isFull(error) ? new DatabaseFullError(limit.maxBytes, { cause: error }) : error;
    }
  }

  private attempt<T>(work: (transaction: Transaction) => T, check?: () => void): Transacted<T> {
    const written: WrittenStatement[] = [];
    let length = 0;
    let rows = 0;
    let isSmall = true;
    let runs = 0;
    const { unindexed } = this;
    const held = this.hold();
    this.isInTransaction = true;
    try {
      const result = work({
        all: (sql, parameters) => this.all(sql, parameters),
        map: (sql, parameters, read) => this.map(sql, parameters, read),
        get: (sql, parameters) => this.get(sql, parameters),
        getKept: (sql, parameters) => this.getKept(sql, parameters),
        run: (sql, parameters = []) => {
          length += lengthOf(parameters);
          if (length > MAX_SAVE_LENGTH) throw new SaveTooLargeError();
          runs += 1;
          const changed = this.run(sql, parameters);
          written.push({ sql, parameters });
          rows += changed;
          isSmall &&= this.statements.isSmall(sql);
          return changed;
        },
        keep: (sql, parameters, row) => this.statements.keep(sql, parameters, row),
      });
      check?.();
      this.isInTransaction = false;
      isSmall &&= length <= SMALL_LENGTH && rows <= SMALL_ROWS;
      if (isSmall && held.groups.length < MOST_HELD) held.groups.push(written);
      else this.settle();
      return { result, written };
    } catch (error) {
      this.isInTransaction = false;
      if (runs > 0 || this.unindexed !== unindexed) this.undo(held);
      throw error;
    }
  }

  private hold(): Held {
    if (!this.held) {
      this.begin();
      this.held = { groups: [], unindexed: this.unindexed };
    }
    return this.held;
  }

  /** Ends the transaction of SQLite that holds others. */
  private settle(): void {
    if (!this.held) return;
    this.commit();
    this.held = undefined;
  }

  /** SQLite undoes them all, and those that have ended are repeated. */
  private undo({ groups, unindexed }: Held): void {
    this.held = undefined;
    this.rollBack(unindexed);
    if (groups.length === 0) return;
    this.pages.lift();
    try {
      this.hold().groups.push(...groups);
      this.isInTransaction = true;
      for (const { sql, parameters } of groups.flat()) this.run(sql, parameters);
      this.isInTransaction = false;
    } catch (error) {
      // Better no database than one without what it has acknowledged.
      this.close();
      throw error;
    }
  }

  private begin(): void {
    this.run('BEGIN', []);
    this.isInTransaction = true;
  }

  private commit(): void {
    this.run('COMMIT', []);
    this.isInTransaction = false;
  }

  /** @param unindexed the messages missing in the index when the transaction began */
  private rollBack(unindexed: readonly KeyRange[]): void {
    this.isInTransaction = false;
    this.unindexed = unindexed;
    try {
      this.run('ROLLBACK', []);
    } catch (error) {
      // SQLite itself has done so where the database was full, and where there was no memory.
      if (!isRolledBack(error)) throw error;
    }
  }

  /**
   * Repeats transactions, many in one transaction, because only the final state matters. The word index is built
   * later: it takes most of the time, and a search is not needed before the conversations are loaded.
   * @returns how many of the groups could be repeated, in order
   */
  replay(groups: readonly Group[]): number {
    this.settle();
    const cascades = this.cascades();
    this.pages.lift();
    let repeated = 0;
    try {
      while (repeated < groups.length) {
        const first = cascades(groups[repeated]);
        let end = repeated + 1;
        while (end < groups.length && cascades(groups[end]) === first) end += 1;
        // References were checked when they were written; only deleting needs the checks again.
        this.database.run(`PRAGMA foreign_keys = ${first ? 'ON' : 'OFF'}`);
        const done = this.repeat(groups.slice(repeated, end));
        repeated += done;
        if (repeated < end) break;
      }
      return repeated;
    } finally {
      this.database.run('PRAGMA foreign_keys = ON');
    }
  }

  /** Every statement that needs the index calls this first. @returns whether it is complete */
  completeIndex(milliseconds = Infinity): boolean {
    if (this.unindexed.length === 0) return true;
    if (this.isInTransaction) return this.indexUntil(Infinity);
    this.settle();
    const { unindexed } = this;
    this.pages.lift();
    this.begin();
    try {
      const isWhole = this.indexUntil(performance.now() + milliseconds);
      this.commit();
      return isWhole;
    } catch (error) {
      this.rollBack(unindexed);
      throw error;
    }
  }

  private indexUntil(end: number): boolean {
    let next = nextPiece(this.unindexed);
    while (next) {
      const { piece, rest } = next;
      this.run(indexTexts, [piece.first, piece.last]);
      this.unindexed = rest;
      if (performance.now() > end) return rest.length === 0;
      next = nextPiece(rest);
    }
    return true;
  }

  /** The whole database as the bytes of an SQLite file; about 1 ms per MB, outside any transaction. */
  export(): Uint8Array {
    this.completeIndex();
    this.settle();
    return this.database.export();
  }

  /** Runs statements that are not part of the journal: the schema and pragmas. */
  execute(sql: string): void {
    this.completeIndex();
    this.settle();
    this.statements.forgetRows();
    this.database.exec(sql);
  }

  close(): void {
    this.statements.free();
    this.database.close();
  }

  /** @returns how many of the groups could be repeated */
  private repeat(groups: readonly Group[]): number {
    let repeated = 0;
    const { unindexed } = this;
    this.begin();
    try {
      for (const group of groups) {
        for (const { sql, parameters } of group) this.repeatOne(sql, parameters);
        repeated += 1;
      }
      this.commit();
      return repeated;
    } catch {
      // A group that does not fit this database. The ones before it do.
      this.rollBack(unindexed);
      return repeated > 0 ? this.repeat(groups.slice(0, repeated)) : 0;
    }
  }

  private repeatOne(sql: string, parameters: readonly SqlParameter[]): void {
    const texts = textsIndexedBy(sql, parameters);
    if (texts) this.unindexed = withRange(this.unindexed, texts);
    else this.run(sql, parameters);
  }

  /** Returns whether a group deletes rows that others refer to, so that deletes may cascade. */
  private cascades(): (group: Group | undefined) => boolean {
    const referenced = new Set(
      this.all(
        'SELECT DISTINCT f."table" AS name FROM sqlite_schema s, pragma_foreign_key_list(s.name) f WHERE s.type = \'table\'',
      ).map(({ name }) => name),
    );
    const known = new Map<string, boolean>();
    const does = (sql: string): boolean => {
      const table = /^\s*DELETE\s+FROM\s+(\w+)/i.exec(sql)?.[1];
      return (table !== undefined && referenced.has(table)) || /\bREPLACE\b/i.test(sql);
    };
    return (group = []) =>
      group.some(({ sql }) => {
        const answer = known.get(sql) ?? does(sql);
        known.set(sql, answer);
        return answer;
      });
  }

  private run(sql: string, parameters: readonly SqlParameter[]): number {
    return this.statements.run(sql, parameters);
  }

  private configure(): void {
    this.database.run('PRAGMA foreign_keys = ON');
    this.database.run('PRAGMA journal_mode = MEMORY');
    // The file is private memory: nothing to lock, sync or spill.
    this.database.run('PRAGMA locking_mode = EXCLUSIVE');
    this.database.run('PRAGMA synchronous = OFF');
    this.database.run('PRAGMA temp_store = MEMORY');
    this.database.run('PRAGMA cache_size = -8000');
    // The words of the index, for this connection alone.
    this.database.run('CREATE VIRTUAL TABLE temp.messageTextsWords USING fts4aux(main, messageTexts)');
  }
}

// sql.js errors have no code.

function isFull(error: unknown): boolean {
  return error instanceof Error && error.message === 'database or disk is full';
}

function isRolledBack(error: unknown): boolean {
  return error instanceof Error && error.message === 'cannot rollback - no transaction is active';
}
