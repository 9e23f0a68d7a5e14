import type { SearchOptions, SearchResult } from '../engine/store.ts';
import type { StoredChat } from './chats.ts';
import type { Reader, SqlParameter } from './database.ts';
import { asStoredMessage, messageColumns } from './messages.ts';
import { integer, text } from './rows.ts';

const DEFAULT_LIMIT = 50;

/**
 * Full-text search in one chat. FTS4 gives offsets but no rank, so a result counts by the number of its hits, and the
 * newer of two equals comes first.
 */
export function search(
  reader: Reader,
  chat: StoredChat,
  query: string,
  options: SearchOptions,
): SearchResult[] {
  const expression = matchExpression(query);
  if (expression === undefined) return [];
  const roles = options.roles ?? [];
  const roleFilter = roles.length > 0 ? `AND m.name IN (${roles.map(() => '?').join(', ')})` : '';
  const parameters: SqlParameter[] = [expression, chat.key, ...roles, options.limit ?? DEFAULT_LIMIT];
  return reader
    .all(
      `SELECT ${messageColumns}, t.snippet, t.hits FROM
        (SELECT docid, snippet(messageTexts, '[', ']', '…', 0, 24) AS snippet,
          (length(offsets(messageTexts)) - length(replace(offsets(messageTexts), ' ', '')) + 1) / 4 AS hits
          FROM messageTexts WHERE messageTexts MATCH ?) t
        JOIN messages m ON m.key = t.docid LEFT JOIN messages p ON p.key = m.parentKey
        WHERE m.chatKey = ? ${roleFilter}
        ORDER BY t.hits DESC, m.createdAt DESC, m.key DESC LIMIT ?`,
      parameters,
    )
    .map((row) => ({
      message: asStoredMessage(row, chat.id).message,
      rank: integer(row, 'hits'),
      snippet: text(row, 'snippet'),
    }));
}

/**
 * What FTS4 is asked for a person's words. Words are quoted, so that no punctuation is taken for an operator; `"…"` is
 * a phrase; the last word also finds what begins with it, as does a word with a `*`.
 * Undefined when there is nothing to look for.
 */
export function matchExpression(query: string): string | undefined {
  const terms: string[] = [];
  for (const [, phrase, bare] of query.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    if (phrase !== undefined) {
      const words = wordsOf(phrase);
      if (words.length > 0) terms.push(`"${words.join(' ')}"`);
    } else if (bare !== undefined) {
      const words = wordsOf(bare);
      const last = words.pop();
      if (last === undefined) continue;
      // `foo-bar` and `what's` are two words each to the index, next to one another.
      const prefix = bare.endsWith('*') || query.trimEnd().endsWith(bare);
      terms.push(`"${[...words, prefix ? `${last}*` : last].join(' ')}"`);
    }
  }
  return terms.length > 0 ? terms.join(' ') : undefined;
}

/** Splits as the index's tokenizer does: letters and digits are words, all else parts them. */
function wordsOf(source: string): string[] {
  return source.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
}
