import { DamagedDataError } from '../../engine/errors.ts';
import type { SearchAllOptions, SearchOptions, SearchResult } from '../../engine/store.ts';
import type { ChatRef } from './chats.ts';
import type { Reader, SqlParameter, SqlRow, SqlValue } from './database.ts';
import { asStoredMessage, messageColumns, selectExtent } from './messages.ts';
import { Best, bm25, readCorpus, readNumbers, readSizes, type Ranked } from './ranking.ts';
import { integer, text } from './rows.ts';
import { matchExpression, HIT_END, HIT_START, shownText } from '../common/searchText.ts';

const DEFAULT_LIMIT = 50;

/**
 * The maximum number of ranked hits: the newest. Words found more often are not selective, and ranking all of 100,000
 * hits takes longer than a user who types should wait.
 */
const MAX_RANKED = 20_000;

export function searchChat(
  reader: Reader,
  chat: ChatRef,
  query: string,
  options: SearchOptions,
): SearchResult[] {
  const extent = selectExtent(reader, chat);
  if (!extent) return [];
  const { count, least, most } = extent;
  // If all keys in between belong to this chat, the chat of each need not be checked.
  const isAlone = most - least + 1 === count;
  return search(reader, query, options, {
    sql: 'AND messageTexts.docid BETWEEN ? AND ?',
    joined: isAlone ? '' : 'AND m.chatKey = ?',
    parameters: isAlone ? [least, most] : [least, most, chat.key],
    messages: count,
  });
}

export function searchAll(reader: Reader, query: string, options: SearchAllOptions): SearchResult[] {
  const { userId } = options;
  const chats = `SELECT key FROM chats WHERE trashedAt IS NULL ${userId === undefined ? '' : 'AND userId = ?'}`;
  return search(reader, query, options, {
    sql: '',
    joined: `AND m.chatKey IN (${chats})`,
    parameters: userId === undefined ? [] : [userId],
    messages: Infinity,
  });
}

interface Condition {
  readonly sql: string;
  /** The join needed to restrict messages to the scope. */
  readonly joined: string;
  readonly parameters: readonly SqlParameter[];
  /** The maximum number of messages in it. */
  readonly messages: number;
}

/** Ranks every hit by the index's statistics; only the texts of the best are read. */
function search(reader: Reader, query: string, options: SearchOptions, where: Condition): SearchResult[] {
  const expression = matchExpression(query);
  const limit = Math.max(0, Math.floor(options.limit ?? DEFAULT_LIMIT));
  if (expression === undefined || limit === 0) return [];
  const sizes = reader.get(sizesOfAll)?.['value'];
  // Nothing has been indexed yet.
  if (sizes === undefined) return [];
  const texts = readSizes(bytes(sizes));
  const hits = selectHits(reader, expression, options, where, Math.min(texts.count, where.messages));
  const [first] = hits.keys;
  if (first === undefined) return [];
  const corpus = readCorpus(texts, hits.figures, hits.keys.length);
  const lengthOf = selectLengths(reader, hits.keys);
  const best = new Best(limit);
  const last = hits.keys.length - 1;
  for (let each = 0; each <= last; each++) {
    // The newest first: of equal hits it is kept.
    const index = hits.isNewestFirst ? each : last - each;
    const key = hits.keys[index] ?? first;
    best.offer(key, bm25(corpus, hits.figures, index, lengthOf(key)));
  }
  const ranked = best.list();
  const keys = ranked.map(({ key }) => key);
  const words = keys.reduce((sum, key) => sum + lengthOf(key), 0);
  const found = { expression, keys, words, hits: hits.keys.length };
  return readResults(reader, ranked, readSnippets(reader, found, options.marks ?? ['[', ']']));
}

/** The number of texts and of words in the index. */
const sizesOfAll = 'SELECT value FROM messageTexts_stat WHERE id = 0';

// SQLite returns one long value in half the time of as many rows, and leaves nothing behind to be collected.

interface Hits {
  /** In their order, or against it. */
  readonly keys: readonly number[];
  readonly isNewestFirst: boolean;
  /** FTS4's `matchinfo(…, 'x')` of each, one after the other. */
  readonly figures: Uint8Array;
}

/** At most as many as are ranked: the newest. @param most an upper bound for the number of hits */
function selectHits(
  reader: Reader,
  expression: string,
  options: SearchOptions,
  where: Condition,
  most: number,
): Hits {
  const roles = options.roles ?? [];
  const roleFilter = roles.length > 0 ? `AND m.name IN (${roles.map(() => '?').join(', ')})` : '';
  // A cross join, because the word index must always come first.
  const join =
    where.joined === '' && roleFilter === '' ? '' : 'CROSS JOIN messages m ON m.key = messageTexts.docid';
  // The index returns the oldest first at half the cost. Counting the hits would cost as much as reading them.
  const isNewestFirst = most > MAX_RANKED;
  const order = isNewestFirst ? `ORDER BY messageTexts.docid DESC LIMIT ${MAX_RANKED}` : 'LIMIT -1';
  // FTS4 gives figures only of the row it is at: the limit keeps SQLite from merging the two queries.
  const row = reader.get(
    `SELECT json_group_array(key) AS keys, CAST(group_concat(info, '') AS BLOB) AS figures FROM (
      SELECT messageTexts.docid AS key, matchinfo(messageTexts, 'x') AS info FROM messageTexts ${join}
      WHERE messageTexts MATCH ? ${where.sql} ${where.joined} ${roleFilter} ${order})`,
    [expression, ...where.parameters, ...roles],
  );
  const keys = row ? keysOf(row) : [];
  const figures = keys.length > 0 ? bytes(row?.['figures'] ?? null) : new Uint8Array();
  return { keys, isNewestFirst, figures };
}

/** Reads the whole key range of the hits, unless they are few and far apart. */
const SPARSE = 3;
const packed = "count(*) AS count, CAST(group_concat(size, '') AS BLOB) AS sizes";
/** SQLite reads a range of keys in their order; a query within this one to say so would cost a sixth more. */
const inRange = 'messageTexts_docsize WHERE docid BETWEEN ? AND ?';
const lengthsBetween = `SELECT ${packed} FROM ${inRange}`;
const keysBetween = `SELECT json_group_array(docid) AS keys FROM ${inRange}`;
const lengthsOf = `SELECT json_group_array(docid) AS keys, ${packed} FROM (SELECT d.docid, d.size
  FROM json_each(?) wanted CROSS JOIN messageTexts_docsize d ON d.docid = wanted.value LIMIT -1)`;

/** FTS4's own function looks up each, which takes most of a search's time. @param keys in their order, or against it */
function selectLengths(reader: Reader, keys: readonly number[]): (key: number) => number {
  const ends = [keys[0] ?? 0, keys.at(-1) ?? 0];
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const lengths =
    most - least < keys.length * SPARSE
      ? selectLengthsBetween(reader, least, most)
      : selectLengthsOf(reader, keys);
  return (key) => {
    const length = lengths instanceof Map ? lengths.get(key) : lengths[key - least];
    // A text with a hit has at least one word.
    if (length === undefined || length === 0) throw damagedIndex();
    return length;
  };
}

/** By the distance from the least key. */
function selectLengthsBetween(reader: Reader, least: number, most: number): ArrayLike<number> {
  const found = readLengths(reader.getKept(lengthsBetween, [least, most]));
  if (found.length === most - least + 1) return found;
  // Some keys have no text.
  const row = reader.getKept(keysBetween, [least, most]);
  const lengths = new Float64Array(most - least + 1);
  for (const [index, key] of (row ? keysOf(row) : []).entries()) lengths[key - least] = found[index] ?? 0;
  return lengths;
}

function selectLengthsOf(reader: Reader, keys: readonly number[]): Map<number, number> {
  const row = reader.get(lengthsOf, [JSON.stringify(keys)]);
  const found = readLengths(row);
  return new Map((row ? keysOf(row) : []).map((key, index) => [key, found[index] ?? 0]));
}

/** @throws DamagedDataError when one of them is no number of words */
function readLengths(row: SqlRow | undefined): number[] {
  const count = row ? integer(row, 'count') : 0;
  if (!row || count === 0) return [];
  const lengths = readNumbers(bytes(row['sizes'] ?? null));
  if (lengths.length !== count) throw damagedIndex();
  return lengths;
}

function keysOf(row: SqlRow): number[] {
  // SQLite has written them.
  return JSON.parse(text(row, 'keys')) as number[];
}

function bytes(value: SqlValue): Uint8Array {
  if (!(value instanceof Uint8Array)) throw damagedIndex();
  return value;
}

function damagedIndex(): DamagedDataError {
  return new DamagedDataError('its text index');
}

function readResults(
  reader: Reader,
  ranked: readonly Ranked[],
  snippets: ReadonlyMap<number, string>,
): SearchResult[] {
  const rows = reader.all(
    `SELECT ${messageColumns}, c.id AS chatId FROM json_each(?) wanted JOIN messages m ON m.key = wanted.value
      JOIN chats c ON c.key = m.chatKey ORDER BY wanted.key`,
    [JSON.stringify(ranked.map(({ key }) => key))],
  );
  return rows.map((row, index) => ({
    message: asStoredMessage(row, text(row, 'chatId')).message,
    rank: ranked[index]?.rank ?? 0,
    snippet: snippets.get(integer(row, 'key')) ?? '',
  }));
}

const SNIPPET_WORDS = 24;

const snippetOf = (table: string): string =>
  `SELECT docid AS key, snippet(${table}, '${HIT_START}', '${HIT_END}', '…', 0, ${SNIPPET_WORDS}) AS snippet
    FROM ${table} WHERE ${table} MATCH ?`;
const fromIndex = `${snippetOf('messageTexts')} AND docid IN (SELECT value FROM json_each(?))`;

// A temporary table is not part of the database: neither a file nor a journal contains it.
const create = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.foundTexts
  USING fts4(text, tokenize=unicode61, matchinfo=fts3)`;
/** The limit keeps SQLite from merging the two queries, which would build each text twice. */
const fill = `INSERT INTO temp.foundTexts (docid, text)
  SELECT rowid, text FROM (SELECT rowid, text FROM indexedTexts
    WHERE rowid IN (SELECT value FROM json_each(?)) LIMIT -1)`;
const fromFound = snippetOf('foundTexts');

type Marks = readonly [start: string, end: string];

interface Found {
  readonly expression: string;
  readonly keys: readonly number[];
  /** The total number of words in the texts. */
  readonly words: number;
  /** A lower bound for the number of texts the expression finds; these are among them. */
  readonly hits: number;
}

/**
 * Snippets of texts around the hits, by key. Even for a few texts, the index goes through all hits; if those are more
 * than the texts have words, building an index of these texts alone is faster.
 */
export function readSnippets(reader: Reader, found: Found, [start, end]: Marks): Map<number, string> {
  const keys = JSON.stringify(found.keys);
  const rows =
    found.words < found.hits
      ? readFromFound(reader, found.expression, keys)
      : reader.all(fromIndex, [found.expression, keys]);
  return new Map(
    rows.map((row) => {
      const snippet = shownText(text(row, 'snippet'));
      return [integer(row, 'key'), snippet.replaceAll(HIT_START, start).replaceAll(HIT_END, end)];
    }),
  );
}

function readFromFound(reader: Reader, expression: string, keys: string): ReturnType<Reader['all']> {
  reader.all(create);
  reader.all('SAVEPOINT found');
  try {
    reader.all(fill, [keys]);
    return reader.all(fromFound, [expression]);
  } finally {
    // Rolling back costs less than deleting, and less than writing the index.
    reader.all('ROLLBACK TO found');
    reader.all('RELEASE found');
  }
}
