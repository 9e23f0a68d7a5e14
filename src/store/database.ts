import type { StoreChange } from '../engine/graph.ts';
import type { Event } from '../kit/disposable.ts';
import type { Outcome } from './operations/outcome.ts';
import type { WriteArguments, WriteName, WriteResults } from './writeTypes.ts';

/** What SQLite can hold in a column, as sql.js gives and takes it. */
export type SqlValue = number | string | Uint8Array | null;

/** What a statement can be given: what the journal can repeat. */
export type SqlParameter = number | string | null;

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Reads. Statements are prepared once per text and kept. */
export interface Reader {
  all(sql: string, parameters?: readonly SqlParameter[]): SqlRow[];
  /** As `all`, with each row read at once: the rows of a long path never stand in memory together. */
  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[];
  get(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined;
}

/** Reads and writes inside one transaction. */
export interface Transaction extends Reader {
  /**
   * Runs one writing statement. Its text and parameters are what the journal repeats when the file is opened again, so
   * they must be deterministic: no `random()`, no `datetime('now')`, no last_insert_rowid(); times and keys are parameters.
   * Returns the number of rows changed.
   */
  run(sql: string, parameters?: readonly SqlParameter[]): number;
}

/** Does the write of a name. @param now the time, where it is done here */
export type Perform = <N extends WriteName>(
  name: N,
  given: WriteArguments[N],
  now: number,
) => Promise<Outcome<WriteResults[N]>>;

/**
 * One SQLite database in memory, made durable by whoever implements this.
 * All reading and writing is synchronous, so a transaction can never interleave with another.
 */
export interface Database extends Reader {
  /** True when nothing can be written. */
  readonly isReadOnly: boolean;
  /** False while another process is the writer: `transaction` then rejects with {@link ReadOnlyError}. Default: true. */
  readonly isWriter?: boolean;
  /**
   * Runs `work` in one transaction: all of it or, when it throws, nothing. Resolves with its result once the change is
   * on disk (at once for a database that lives in memory only).
   */
  transaction<T>(work: (transaction: Transaction) => T): Promise<T>;
  /**
   * Does a write, here or in the process that writes, and resolves once it is on disk and seen here. Left out where
   * there is no other process: then it is a transaction.
   */
  readonly perform?: Perform;
  /** The name of this window among those that share the database. */
  readonly owner?: string | undefined;
  /** Whether other windows are there now. */
  readonly isShared?: boolean;
  /** Whether an owner is another window, and still there. */
  readonly isElsewhere?: (owner: string) => boolean;
  /** Tells what other processes changed, once it is on disk and seen here. */
  readonly onDidChangeElsewhere?: Event<StoreChange>;
  /** Lets pending writes finish, then frees everything. A second call does nothing. */
  close(): Promise<void>;
}
