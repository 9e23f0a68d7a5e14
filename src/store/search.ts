import { DamagedDataError } from '../engine/errors.ts';
import type { SearchAllOptions, SearchOptions, SearchResult } from '../engine/store.ts';
import type { ChatRef } from './chats.ts';
import type { Reader, SqlParameter, SqlRow, SqlValue } from './database.ts';
import { asStoredMessage, messageColumns, selectExtent } from './messages.ts';
import { Best, bm25, readCorpus, readLength, readSizes, type Ranked, type TextSizes } from './ranking.ts';
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
  const extent = selectExtent(reader, chat);
  if (!extent) return [];
  const { count, least, most } = extent;
  // Where the keys in between are all of this chat, there is no need to look at whose each of them is.
  const isAlone = most - least + 1 === count;
  return search(reader, query, options, {
    sql: 'AND messageTexts.docid BETWEEN ? AND ?',
    joined: isAlone ? '' : 'AND m.chatKey = ?',
    parameters: isAlone ? [least, most] : [least, most, chat.key],
    messages: count,
  });
}

/** Full-text search in all chats, or those of a user. */
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

/** Where is searched. */
interface Condition {
  readonly sql: string;
  /** What the messages have to be looked up for. */
  readonly joined: string;
  readonly parameters: readonly SqlParameter[];
  /** How many messages there are at most. */
  readonly messages: number;
}

/** Ranks every hit by figures the index keeps; texts are read of the best alone. */
function search(reader: Reader, query: string, options: SearchOptions, where: Condition): SearchResult[] {
  const expression = matchExpression(query);
  const limit = Math.max(0, Math.floor(options.limit ?? DEFAULT_LIMIT));
  if (expression === undefined || limit === 0) return [];
  const sizes = reader.get(sizesOfAll)?.['value'];
  // Nothing has been indexed yet.
  if (sizes === undefined) return [];
  const texts = readSizes(bytes(sizes));
  const hits = selectHits(reader, expression, options, where, isTooMany(reader, expression, texts, where));
  const [first] = hits;
  if (!first) return [];
  const corpus = readCorpus(texts, first.info);
  const lengthOf = selectLengths(reader, hits);
  const best = new Best(limit);
  // The newest first: of equals it is the one to keep.
  for (const { key, info } of hits.toReversed()) best.offer(key, bm25(corpus, info, lengthOf(key)));
  return readResults(reader, expression, best.list(), options.marks ?? ['[', ']']);
}

/** How many texts the index has, and how many words. */
const sizesOfAll = 'SELECT value FROM messageTexts_stat WHERE id = 0';
const anyHit = `SELECT matchinfo(messageTexts, 'x') AS info FROM messageTexts WHERE messageTexts MATCH ? LIMIT 1`;

/** True when there may be more hits than are ranked. Only where there are that many texts it is worth asking. */
function isTooMany(reader: Reader, expression: string, texts: TextSizes, { messages }: Condition): boolean {
  if (Math.min(texts.count, messages) <= MAX_RANKED) return false;
  const info = reader.get(anyHit, [expression])?.['info'];
  return info !== undefined && Math.min(...readCorpus(texts, bytes(info)).textsWith) > MAX_RANKED;
}

interface Hit {
  readonly key: number;
  readonly info: Uint8Array;
}

/** @param isTooMany newest first costs twice as much, so it is asked for when some are left out; else the oldest is first */
function selectHits(
  reader: Reader,
  expression: string,
  options: SearchOptions,
  where: Condition,
  isTooMany: boolean,
): Hit[] {
  const roles = options.roles ?? [];
  const roleFilter = roles.length > 0 ? `AND m.name IN (${roles.map(() => '?').join(', ')})` : '';
  // The join is crossed, because the index of words is always the one to begin with.
  const join =
    where.joined === '' && roleFilter === '' ? '' : 'CROSS JOIN messages m ON m.key = messageTexts.docid';
  const newest = isTooMany ? `ORDER BY messageTexts.docid DESC LIMIT ${MAX_RANKED}` : '';
  const hits = reader.map(
    `SELECT messageTexts.docid AS key, matchinfo(messageTexts, 'x') AS info FROM messageTexts ${join}
      WHERE messageTexts MATCH ? ${where.sql} ${where.joined} ${roleFilter} ${newest}`,
    [expression, ...where.parameters, ...roles],
    (row): Hit => ({ key: integer(row, 'key'), info: bytes(row['info'] ?? null) }),
  );
  return isTooMany ? hits.reverse() : hits;
}

/** Reads the whole stretch of the table that the hits lie in, unless they are few and far between. */
const SPARSE = 3;
const lengthsBetween = 'SELECT docid, size FROM messageTexts_docsize WHERE docid BETWEEN ? AND ?';
const lengthsOf = `SELECT d.docid, d.size FROM json_each(?) wanted
  CROSS JOIN messageTexts_docsize d ON d.docid = wanted.value`;

/**
 * How many words texts have. FTS4's own function looks up each of them, which takes most of a search's time.
 * @param hits by key
 */
function selectLengths(reader: Reader, hits: readonly Hit[]): (key: number) => number {
  const [least, most] = [hits[0]?.key ?? 0, hits.at(-1)?.key ?? 0];
  const isDense = most - least < hits.length * SPARSE;
  const lengths = isDense ? new Uint32Array(most - least + 1) : new Map<number, number>();
  const read = (row: SqlRow): void => {
    const length = readLength(bytes(row['size'] ?? null));
    const key = integer(row, 'docid');
    if (lengths instanceof Map) lengths.set(key, length);
    else lengths[key - least] = length;
  };
  if (isDense) reader.map(lengthsBetween, [least, most], read);
  else reader.map(lengthsOf, [JSON.stringify(hits.map(({ key }) => key))], read);
  return (key) => {
    const length = lengths instanceof Map ? lengths.get(key) : lengths[key - least];
    // What has a hit has a word.
    if (length === undefined || length === 0) throw damagedIndex();
    return length;
  };
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
