import { DamagedDataError } from '../engine/errors.ts';
import type { SearchAllOptions, SearchOptions, SearchResult } from '../engine/store.ts';
import type { ChatRef } from './chats.ts';
import type { Reader, SqlParameter, SqlRow, SqlValue } from './database.ts';
import { asStoredMessage, messageColumns } from './messages.ts';
import { Best, bm25, readCorpus, readLength, type Ranked } from './ranking.ts';
import { integer, text } from './rows.ts';
import { HIT_END, HIT_START, matchExpression, shownText } from './searchText.ts';

const DEFAULT_LIMIT = 50;

/**
 * No more hits than this are ranked: the newest. Words found more often say little of what is looked for, and to rank
 * all of 100,000 hits takes longer than a person who types should wait.
 */
const MAX_RANKED = 20_000;

/** How many words of a text a snippet shows. */
const SNIPPET_WORDS = 24;

/** Full-text search in one chat. */
export function searchChat(
  reader: Reader,
  chat: ChatRef,
  query: string,
  options: SearchOptions,
): SearchResult[] {
  return search(reader, query, options, { sql: 'AND m.chatKey = ?', parameters: [chat.key] });
}

/** Full-text search in all chats, or those of a user. */
export function searchAll(reader: Reader, query: string, options: SearchAllOptions): SearchResult[] {
  const { userId } = options;
  const chats = `SELECT key FROM chats WHERE trashedAt IS NULL ${userId === undefined ? '' : 'AND userId = ?'}`;
  return search(reader, query, options, {
    sql: `AND m.chatKey IN (${chats})`,
    parameters: userId === undefined ? [] : [userId],
  });
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

/** Ranks every hit by figures the index keeps; texts are read of the best alone. */
function search(reader: Reader, query: string, options: SearchOptions, where: Condition): SearchResult[] {
  const expression = matchExpression(query);
  const limit = Math.max(0, Math.floor(options.limit ?? DEFAULT_LIMIT));
  if (expression === undefined || limit === 0) return [];
  const info = reader.get(anyHit, [expression])?.['info'];
  if (info === undefined) return [];
  const corpus = readCorpus(bytes(info));
  const hits = selectHits(reader, expression, options, where, Math.min(...corpus.textsWith));
  const lengths = selectLengths(
    reader,
    hits.map(({ key }) => key),
  );
  const best = new Best(limit);
  for (const { key, info } of hits) {
    const length = lengths.get(key);
    if (length === undefined) throw damagedIndex();
    best.offer(key, bm25(corpus, info, length));
  }
  return readResults(reader, expression, best.list(), options.marks ?? ['[', ']']);
}

/** What is the same for each hit is read once: for each of many it takes as long as all the rest. */
const anyHit = `SELECT matchinfo(messageTexts, 'pcnax') AS info FROM messageTexts WHERE messageTexts MATCH ? LIMIT 1`;

interface Hit {
  readonly key: number;
  readonly info: Uint8Array;
}

/** @param most hits that there can be; newest first costs twice as much, so it is asked for when some are left out */
function selectHits(
  reader: Reader,
  expression: string,
  options: SearchOptions,
  where: Condition,
  most: number,
): Hit[] {
  const roles = options.roles ?? [];
  const roleFilter = roles.length > 0 ? `AND m.name IN (${roles.map(() => '?').join(', ')})` : '';
  const newest = most > MAX_RANKED ? `ORDER BY messageTexts.docid DESC LIMIT ${MAX_RANKED}` : '';
  // The join is crossed, because the index of words is always the one to begin with.
  return reader.map(
    `SELECT messageTexts.docid AS key, matchinfo(messageTexts, 'y') AS info
      FROM messageTexts CROSS JOIN messages m ON m.key = messageTexts.docid
      WHERE messageTexts MATCH ? ${where.sql} ${roleFilter} ${newest}`,
    [expression, ...where.parameters, ...roles],
    (row) => ({ key: integer(row, 'key'), info: bytes(row['info'] ?? null) }),
  );
}

/** Reads the whole stretch of the table that the hits lie in, unless they are few and far between. */
const SPARSE = 3;
const lengthsBetween = 'SELECT docid, size FROM messageTexts_docsize WHERE docid BETWEEN ? AND ?';
const lengthsOf = `SELECT d.docid, d.size FROM json_each(?) wanted
  CROSS JOIN messageTexts_docsize d ON d.docid = wanted.value`;

/** How many words texts have. FTS4's own function looks up each of them, which takes most of a search's time. */
function selectLengths(reader: Reader, keys: readonly number[]): ReadonlyMap<number, number> {
  const [least, most] = keys.reduce(
    ([least, most], key) => [Math.min(least, key), Math.max(most, key)],
    [Infinity, -Infinity],
  );
  const lengths = new Map<number, number>();
  const read = (row: SqlRow): void => {
    const length = readLength(bytes(row['size'] ?? null));
    if (length !== undefined) lengths.set(integer(row, 'docid'), length);
  };
  if (most - least < keys.length * SPARSE) reader.map(lengthsBetween, [least, most], read);
  else reader.map(lengthsOf, [JSON.stringify(keys)], read);
  return lengths;
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
  expression: string,
  ranked: readonly Ranked[],
  [start, end]: readonly [string, string],
): SearchResult[] {
  const keys = JSON.stringify(ranked.map(({ key }) => key));
  const snippets = reader.all(
    `SELECT docid AS key,
      snippet(messageTexts, '${HIT_START}', '${HIT_END}', '…', 0, ${SNIPPET_WORDS}) AS snippet
      FROM messageTexts WHERE messageTexts MATCH ? AND docid IN (SELECT value FROM json_each(?))`,
    [expression, keys],
  );
  const snippetOf = new Map(snippets.map((row) => [integer(row, 'key'), shownText(text(row, 'snippet'))]));
  const messages = reader.all(
    `SELECT ${messageColumns}, c.id AS chatId FROM json_each(?) wanted JOIN messages m ON m.key = wanted.value
      JOIN chats c ON c.key = m.chatKey ORDER BY wanted.key`,
    [keys],
  );
  return messages.map((row, index) => ({
    message: asStoredMessage(row, text(row, 'chatId')).message,
    rank: ranked[index]?.rank ?? 0,
    snippet: (snippetOf.get(integer(row, 'key')) ?? '').replaceAll(HIT_START, start).replaceAll(HIT_END, end),
  }));
}
