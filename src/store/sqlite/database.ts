import type { StoreChange } from '../../engine/graph.ts';
import type { Event } from '../../base/disposable.ts';
import type { WriteArguments, WriteName, WriteResults } from '../common/storeWrites.ts';

/** A column value, as sql.js takes and returns it. */
export type SqlValue = number | string | Uint8Array | null;

/** A parameter of a statement: a value that the journal can repeat. */
export type SqlParameter = number | string | null;

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Statements are prepared once per text and cached. */
export interface Reader {
  all(sql: string, parameters?: readonly SqlParameter[]): SqlRow[];
  /** As `all`, but converts each row at once: the rows of a long path are never in memory together. */
  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[];
  get(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined;
  /** As `get`, and kept until a table that it names is written: for one row that is read again and again. */
  getKept(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined;
}

export interface Transaction extends Reader {
  /**
   * Runs one writing statement. The journal repeats its text and parameters when the file is opened again, so they
   * must be deterministic: no `random()`, no `datetime('now')`, no last_insert_rowid(); times and keys are
   * parameters. Returns the number of rows changed.
   */
  run(sql: string, parameters?: readonly SqlParameter[]): number;
  /** Keeps the row that `getKept` would read after what this transaction has written. */
  keep(sql: string, parameters: readonly SqlParameter[], row: SqlRow): void;
}

/** @param now the time, if it runs in this process */
export type Perform = <N extends WriteName>(
  name: N,
  given: WriteArguments[N],
  now: number,
) => Promise<Outcome<WriteResults[N]>>;

/** Implementations make it durable. All reading and writing is synchronous: transactions never interleave. */
export interface Database extends Reader {
  readonly isReadOnly: boolean;
  /** False while another process is the writer: `transaction` then rejects with {@link ReadOnlyError}. Default: true. */
  readonly isWriter?: boolean;
  /** If `work` throws, nothing changes. Resolves once the change is on disk (at once for a database in memory). */
  transaction<T>(work: (transaction: Transaction) => T): Promise<T>;
  /**
   * Runs a write here or in the writing process, and resolves once it is on disk and visible here. Left out where
   * there is no other process: the write is then a transaction.
   */
  readonly perform?: Perform;
  /** The name of this window among those that share the database. */
  readonly owner?: string | undefined;
  /** Whether other windows are connected now. */
  readonly isShared?: boolean;
  /** Whether an owner is another window that still exists. */
  readonly isElsewhere?: (owner: string) => boolean;
  /** Fires for changes by other processes, once they are on disk and visible here. */
  readonly onDidChangeElsewhere?: Event<StoreChange>;
  /** Waits for pending writes, then frees all resources. A second call does nothing. */
  close(): Promise<void>;
}

/** The result of a transaction, and the changes to announce once it is durable. */
export interface Outcome<T> {
  readonly result: T;
  readonly changes: readonly StoreChange[];
}

export function changed<T>(result: T, change: StoreChange): Outcome<T> {
  return { result, changes: [change] };
}

export type Bodies = {
  readonly [N in WriteName]: (
    transaction: Transaction,
    now: number,
    given: WriteArguments[N],
  ) => Outcome<WriteResults[N]>;
};

/** Some of the bodies: their types are those of the writes. */
export function bodies<B extends Partial<Bodies>>(some: B): B {
  return some;
}

/** Nothing that a view shows has changed. */
export function quiet<T>(result: T): Outcome<T> {
  return { result, changes: [] };
}

/** Reads from the current source of the rows, which may change or be closed at any time. */
export abstract class LiveReader implements Reader {
  /** @throws ClosedError */
  protected abstract live(): Reader;

  all(sql: string, parameters?: readonly SqlParameter[]): SqlRow[] {
    return this.live().all(sql, parameters);
  }

  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[] {
    return this.live().map(sql, parameters, read);
  }

  get(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined {
    return this.live().get(sql, parameters);
  }

  getKept(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined {
    return this.live().getKept(sql, parameters);
  }
}
