export type DatabaseValue = string | number | Uint8Array | null;

export type DatabaseRow = Readonly<Record<string, DatabaseValue>>;

/** What a column has to be: a value, or a text from one up to, but without, another. */
export type ColumnIs = string | number | { readonly from: string; readonly before: string };

export interface WantedRows {
  /** One that the table doesn't have is null: it may be of another version. */
  readonly columns: readonly string[];
  /** All of it has to hold. */
  readonly where?: Readonly<Record<string, ColumnIs>>;
}

/** A database file of another program, as data only: its tables are read, and nothing that its schema defines is run. */
export interface ForeignDatabase {
  /** No views, and no tables that are computed. */
  readonly tables: ReadonlySet<string>;
  /** In no order that can be relied on; none for a table that isn't there. @throws ImportError where the file is damaged */
  rows(table: string, wanted: WantedRows): Iterable<DatabaseRow>;
  /** Unpacks what its program packed; undefined where that cannot be done. */
  readonly unzstd: Unzstd | undefined;
  close(): void;
}

/**
 * Unpacks what Zstandard packed.
 * @param limit the most bytes that it may become
 * @throws Error for other bytes, and for more
 */
export type Unzstd = (bytes: Uint8Array, limit: number) => Promise<Uint8Array>;

/**
 * @param image a whole database file, which is taken over, with nothing but zeros behind it in its buffer
 * @throws ImportError for one that cannot be opened
 */
export type OpenDatabase = (image: Uint8Array<ArrayBuffer>) => Promise<ForeignDatabase>;
