import type { SearchOptions, SearchResult } from '../engine/store.ts';
import { visibleText } from '../storing/messageText.ts';
import type { StoreAccess } from './storeAccess.ts';
import { messageOf, type MessageRow } from './wire.ts';
import { queriesOf, snippetOf } from './words.ts';

const DEFAULT_LIMIT = 50;
/** The maximum number of ranked hits: the newest. */
const MAX_RANKED = 10_000;

/** Finds messages of a chat, or of all that a user may read; best first, and for equal rank the newest first. */
export async function search(
  store: StoreAccess,
  where: { readonly chatId?: string; readonly userId?: string | undefined },
  query: string,
  options: SearchOptions,
): Promise<SearchResult[]> {
  const { chatId, userId } = where;
  const terms = queriesOf(query);
  const limit = Math.max(0, Math.floor(options.limit ?? DEFAULT_LIMIT));
  if (terms.length === 0 || limit === 0) {
    // A missing chat is reported as an error anyway.
    if (chatId !== undefined) await store.value('get_sharing($1)', [chatId]);
    return [];
  }
  const roles = options.roles?.length ? [...options.roles] : null;
  const values = [chatId ?? null, userId ?? null, terms, roles, limit, MAX_RANKED];
  type Row = MessageRow & { chat_id: string; rank: number };
  const rows = await store.rows<Row>('search($1, $2, $3, $4, $5, $6)', values);
  return rows.map((row) => {
    const message = messageOf(row, row.chat_id);
    return {
      message,
      rank: row.rank,
      snippet: snippetOf(visibleText(message), query, options.marks ?? ['[', ']']),
    };
  });
}
