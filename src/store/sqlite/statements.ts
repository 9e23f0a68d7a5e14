import type { Database as SqlDatabase, Statement } from 'sql.js';
import type { Reader, SqlParameter, SqlRow, SqlValue } from './database.ts';
import { needsIndex } from './unindexedTexts.ts';

interface Prepared {
  readonly statement: Statement;
  readonly columns: readonly string[];
  /** It reads or changes the word index. */
  readonly needsIndex: boolean;
  readonly changes: Changes;
}

type Changes = 'nothing' | 'anything' | { readonly table: string };

interface KeptRow {
  readonly parameters: readonly SqlParameter[];
  readonly row: SqlRow | undefined;
}

/** So few that looking at each is faster than a map, which would need a key made of the parameters. */
type KeptRows = KeptRow[];

/** Rows that are kept of one statement. */
const MOST_KEPT = 8;

export class Statements implements Reader {
  private readonly kept = new Map<string, Prepared>();
  /** Variants that take long texts as bytes, by original statement and by which texts these are. */
  private readonly forBytes = new Map<string, Map<number, Prepared | undefined>>();

  /** By statement. */
  private readonly keptRows = new Map<string, KeptRows>();
  /** Those of the statements that name a table, by table. */
  private readonly keptOf = new Map<string, KeptRows[]>();

  private readonly room = new Uint8Array(65_536);

  /** @param completeIndex completes the word index before a statement reads or changes it */
  constructor(
    private readonly database: SqlDatabase,
    private readonly completeIndex: () => void,
  ) {}

  all(sql: string, parameters: readonly SqlParameter[] = []): SqlRow[] {
    return this.map(sql, parameters, (row) => row);
  }

  map<T>(sql: string, parameters: readonly SqlParameter[], read: (row: SqlRow) => T): T[] {
    const { statement, columns } = this.bound(sql, parameters);
    const results: T[] = [];
    try {
      while (statement.step()) results.push(read(asRow(columns, statement.get())));
    } finally {
      statement.reset();
    }
    return results;
  }

  get(sql: string, parameters: readonly SqlParameter[] = []): SqlRow | undefined {
    const { statement, columns } = this.bound(sql, parameters);
    try {
      return statement.step() ? asRow(columns, statement.get()) : undefined;
    } finally {
      statement.reset();
    }
  }

  getKept(sql: string, parameters: readonly SqlParameter[] = []): SqlRow | undefined {
    const rows = this.keptRows.get(sql);
    if (rows) for (const kept of rows) if (areSame(kept.parameters, parameters)) return kept.row;
    const row = this.get(sql, parameters);
    this.keep(sql, parameters, row);
    return row;
  }

  /** The row that `getKept` returns until a table that the statement names is written. */
  keep(sql: string, parameters: readonly SqlParameter[], row: SqlRow | undefined): void {
    let rows = this.keptRows.get(sql);
    if (!rows) {
      this.keptRows.set(sql, (rows = []));
      this.keptOf.clear();
    }
    let at = rows.findIndex((kept) => areSame(kept.parameters, parameters));
    if (at === -1) at = rows.length === MOST_KEPT ? 0 : rows.length;
    rows[at] = { parameters, row };
  }

  /** @param changes default: something is written by other means */
  forgetRows(changes: Exclude<Changes, 'nothing'> = 'anything'): void {
    const concerned = changes === 'anything' ? this.keptRows.values() : this.keptRowsOf(changes.table);
    for (const rows of concerned) if (rows.length > 0) rows.length = 0;
  }

  private keptRowsOf(table: string): KeptRows[] {
    let found = this.keptOf.get(table);
    if (!found) {
      found = [...this.keptRows].filter(([sql]) => sql.includes(table)).map(([, rows]) => rows);
      this.keptOf.set(table, found);
    }
    return found;
  }

  /** @returns how many rows it changed */
  run(sql: string, parameters: readonly SqlParameter[]): number {
    const { statement, changes } = this.bound(sql, parameters);
    if (changes !== 'nothing') this.forgetRows(changes);
    try {
      statement.step();
      return this.database.getRowsModified();
    } finally {
      statement.reset();
    }
  }

  /** Whether a statement that has run changed only a table, and not the word index. */
  isSmall(sql: string): boolean {
    const changes = this.kept.get(sql)?.changes;
    return typeof changes === 'object' && changes.table !== 'messageTexts';
  }

  free(): void {
    for (const { statement } of this.kept.values()) statement.free();
    this.kept.clear();
    this.forBytes.clear();
  }

  private bound(sql: string, parameters: readonly SqlParameter[]): Prepared {
    const long = longTexts(parameters);
    const taking = long === 0 ? undefined : this.takingBytes(sql, long);
    const prepared = taking ?? this.prepared(sql);
    if (prepared.needsIndex) this.completeIndex();
    if (parameters.length > 0) {
      // They are only read, which the type does not express.
      prepared.statement.bind(taking ? asBytes(parameters, long, this.room) : (parameters as SqlValue[]));
    }
    return prepared;
  }

  private prepared(sql: string): Prepared {
    return this.kept.get(sql) ?? this.prepare(sql);
  }

  /** The variant that takes these long texts as bytes; undefined when it cannot. */
  private takingBytes(sql: string, long: number): Prepared | undefined {
    const all = this.forBytes.get(sql) ?? new Map<number, Prepared | undefined>();
    this.forBytes.set(sql, all);
    if (!all.has(long)) {
      const making = makingTexts(sql, long);
      all.set(long, making === undefined ? undefined : this.prepared(making));
    }
    return all.get(long);
  }

  private prepare(sql: string): Prepared {
    const statement = this.database.prepare(sql);
    const prepared = {
      statement,
      columns: statement.getColumnNames(),
      needsIndex: needsIndex(sql),
      changes: changesOf(sql),
    };
    this.kept.set(sql, prepared);
    return prepared;
  }
}

/** An insert or an update changes one table; a delete may cascade, and a rollback changes whatever was changed. */
function changesOf(sql: string): Changes {
  if (sql === 'BEGIN' || sql === 'COMMIT') return 'nothing';
  const [, table] = /^\s*(?:INSERT INTO|UPDATE) (?!OR\b)(\w+)/i.exec(sql) ?? [];
  return table === undefined ? 'anything' : { table };
}

function areSame(some: readonly SqlParameter[], others: readonly SqlParameter[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}

function asRow(columns: readonly string[], values: readonly SqlValue[]): SqlRow {
  const row: Record<string, SqlValue> = {};
  let index = 0;
  for (const column of columns) row[column] = values[index++] ?? null;
  return row;
}

// sql.js writes a text into SQLite's memory character by character, after counting its bytes twice; bytes it copies
// at once. Long texts are passed as bytes that the statement converts to text, which takes a fifth of the time.

/** The length in UTF-16 units from which another statement pays off. */
const LONG = 256;

/** A parameter, or a quoted text, which may contain a question mark. */
const placeholder = /'[^']*'|"[^"]*"|\?/g;
/** Statements with numbered or named parameters are left unchanged. */
const named = /\?\d|[:@$]\w/;

const encoder = new TextEncoder();

/** Which parameters are long texts, one bit for each. */
export function longTexts(parameters: readonly SqlParameter[]): number {
  let found = 0;
  for (let index = 0; index < parameters.length && index < 31; index++) {
    const value = parameters[index];
    // sql.js keeps a lone surrogate as it is; it would be lost in UTF-8.
    if (typeof value === 'string' && value.length >= LONG && value.isWellFormed()) found |= 1 << index;
  }
  return found;
}

/** The statement that converts bytes to text for these parameters; undefined when it cannot. */
export function makingTexts(sql: string, long: number): string | undefined {
  if (named.test(sql)) return undefined;
  let index = 0;
  return sql.replace(placeholder, (found) => {
    if (found !== '?') return found;
    return isOneOf(long, index++) ? 'CAST(? AS TEXT)' : found;
  });
}

/** @param room takes texts as bytes while they fit: allocating each takes longer than the rest */
export function asBytes(
  parameters: readonly SqlParameter[],
  long: number,
  room: Uint8Array<ArrayBuffer>,
): SqlValue[] {
  let used = 0;
  return parameters.map((each, index) => {
    if (typeof each !== 'string' || !isOneOf(long, index)) return each;
    // A UTF-16 unit takes three bytes at most.
    if (used + each.length * 3 > room.byteLength) return encoder.encode(each);
    const { written } = encoder.encodeInto(each, room.subarray(used));
    const bytes = room.subarray(used, used + written);
    used += written;
    return bytes;
  });
}

function isOneOf(long: number, index: number): boolean {
  return index < 31 && (long & (1 << index)) !== 0;
}
