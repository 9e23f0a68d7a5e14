import type { JsonValue } from '../../engine/json.ts';
import type { Reader, SqlParameter, SqlRow, SqlValue } from './database.ts';
import { json, optionalText, text } from './rows.ts';
import type { KeyRange } from './unindexedTexts.ts';

// Each column of each row takes several calls into WebAssembly, and each text is decoded apart. SQLite joins many
// rows to two texts of JSON in less time.

/** A message of more bytes is read as a row, so that what is joined stays small. */
const MAX_JOINED = 65_536;
/** Messages that are joined at first, and at most; in between, as many as make a text of about this length. */
const FIRST = 32;
const MOST = 256;
const USUAL_LENGTH = 65_536;

/** What is read of messages. */
export interface MessageQuery {
  readonly names: readonly string[];
  readonly joined: string;
  readonly asRows: string;
}

/**
 * @param columns of `messages m`, by name: they are read as SQLite holds them, so bytes and missing values are noticed
 * @param data what the message holds, as JSON
 * @param condition for messages in the ranges of keys
 */
export function messageQuery(
  columns: Readonly<Record<string, string>>,
  data: string,
  condition = '',
): MessageQuery {
  const expressions = Object.values(columns).join(', ');
  const named = Object.entries(columns).map(([name, expression]) => `${expression} AS ${name}`);
  const from = `FROM json_each(?) r
    CROSS JOIN messages m ON m.key BETWEEN r.value ->> 0 AND r.value ->> 1 ${condition}`;
  // Bytes come after every text.
  const isJoined = `octet_length(m.data) <= ${MAX_JOINED} AND m.data < x''`;
  return {
    names: Object.keys(columns),
    joined: `SELECT json_group_array(json_array(${expressions})) AS rows,
      '[' || group_concat(iif(${isJoined}, ${data}, NULL)) || ']' AS data ${from}`,
    asRows: `SELECT ${[...named, `${data} AS data`].join(', ')} ${from}`,
  };
}

/** The messages in ranges of keys, in this order. @param more the parameters of the condition */
export function mapMessages<T>(
  reader: Reader,
  { names, joined, asRows }: MessageQuery,
  ranges: readonly KeyRange[],
  more: readonly SqlParameter[],
  read: (row: SqlRow, data: JsonValue) => T,
): T[] {
  const all: T[] = [];
  const take = piecesOf(ranges);
  let size = FIRST;
  for (let piece = take(size); piece.length > 0; piece = take(size)) {
    const parameters = [JSON.stringify(piece), ...more];
    const found = readJoined(reader, joined, parameters);
    if (!found) {
      all.push(...reader.map(asRows, parameters, (row) => read(row, json(row, 'data'))));
      size = FIRST;
      continue;
    }
    for (const [index, values] of found.rows.entries()) {
      all.push(read(asRow(names, values), found.data[index] ?? null));
    }
    const fitting = Math.floor((size * USUAL_LENGTH) / Math.max(1, found.length));
    size = Math.max(1, Math.min(fitting, MOST));
  }
  return all;
}

interface Joined {
  readonly rows: readonly (readonly SqlValue[])[];
  readonly data: readonly JsonValue[];
  /** Of the text of `data`. */
  readonly length: number;
}

/** Undefined where a message is too large or damaged, which rows can be. */
function readJoined(reader: Reader, sql: string, parameters: readonly SqlParameter[]): Joined | undefined {
  try {
    const row = reader.get(sql, parameters);
    if (!row) return undefined;
    // SQLite has written them.
    const rows = JSON.parse(text(row, 'rows')) as Joined['rows'];
    // Without messages there is nothing to join.
    const joined = optionalText(row, 'data') ?? '[]';
    const data: unknown = JSON.parse(joined);
    if (!Array.isArray(data) || data.length !== rows.length) return undefined;
    // JSON.parse returns only JSON values.
    return { rows, data: data as JsonValue[], length: joined.length };
  } catch {
    // Not lost: the rows are read next, and what is wrong with one of them is said there.
    return undefined;
  }
}

function asRow(names: readonly string[], values: readonly SqlValue[]): SqlRow {
  const row: Record<string, SqlValue> = {};
  let index = 0;
  for (const name of names) row[name] = values[index++] ?? null;
  return row;
}

/** Cuts ranges into pieces of so many keys. */
function piecesOf(ranges: readonly KeyRange[]): (size: number) => (readonly [first: number, last: number])[] {
  let index = 0;
  let next = ranges[0]?.first ?? 0;
  return (size) => {
    const piece: [number, number][] = [];
    let left = size;
    for (let range = ranges[index]; range && left > 0; range = ranges[index]) {
      const last = Math.min(range.last, next + left - 1);
      piece.push([next, last]);
      left -= last - next + 1;
      next = last + 1;
      if (last < range.last) continue;
      index += 1;
      next = ranges[index]?.first ?? 0;
    }
    return piece;
  };
}
