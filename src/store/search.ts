import { DamagedDataError } from '../engine/errors.ts';
import type { SearchAllOptions, SearchOptions, SearchResult } from '../engine/store.ts';
import type { StoredChat } from './chats.ts';
import type { Reader, SqlParameter } from './database.ts';
import { asStoredMessage, messageColumns } from './messages.ts';
import { Best, bm25, type Ranked } from './ranking.ts';
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
  chat: StoredChat,
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
  const roles = options.roles ?? [];
  const roleFilter = roles.length > 0 ? `AND m.name IN (${roles.map(() => '?').join(', ')})` : '';
  // The join is crossed, because the index of words is always the one to begin with.
  const hits = reader.all(
    `SELECT messageTexts.docid AS key, matchinfo(messageTexts, 'pcnalx') AS info
      FROM messageTexts CROSS JOIN messages m ON m.key = messageTexts.docid
      WHERE messageTexts MATCH ? ${where.sql} ${roleFilter}
      ORDER BY messageTexts.docid DESC LIMIT ?`,
    [expression, ...where.parameters, ...roles, MAX_RANKED],
  );
  const best = new Best(limit);
  for (const { key, info } of hits) {
    if (typeof key !== 'number' || !(info instanceof Uint8Array))
      throw new DamagedDataError('its text index');
    best.offer(key, bm25(info));
  }
  return readResults(reader, expression, best.list(), options.marks ?? ['[', ']']);
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
      JOIN chats c ON c.key = m.chatKey LEFT JOIN messages p ON p.key = m.parentKey ORDER BY wanted.key`,
    [keys],
  );
  return messages.map((row, index) => ({
    message: asStoredMessage(row, text(row, 'chatId')).message,
    rank: ranked[index]?.rank ?? 0,
    snippet: (snippetOf.get(integer(row, 'key')) ?? '').replaceAll(HIT_START, start).replaceAll(HIT_END, end),
  }));
}
