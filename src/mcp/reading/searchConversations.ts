import { z } from 'zod';
import { isArchived } from '../../engine/chatFlags.ts';
import type { ChatData } from '../../engine/graph.ts';
import type { SearchResult } from '../../engine/store.ts';
import {
  cursor,
  moreLine,
  offsetOf,
  pageLimit,
  pageOf,
  defineReadingTool,
  type Reading,
} from './readingTool.ts';
import { oneLine, quoted, timeText } from './shownText.ts';
import { isSpoken, visibleChat, whereVisible } from './visible.ts';

const TITLE = 120;
const SNIPPET = 300;

/** The most hits that are examined, the best first. */
const MOST_HITS = 500;

const hit = z.object({
  chat: z.string(),
  title: z.string(),
  branch: z.string().optional(),
  message: z.string(),
  role: z.string(),
  at: z.string(),
  snippet: z.string(),
});
type Hit = z.infer<typeof hit>;

export const searchConversations = defineReadingTool({
  name: 'search_conversations',
  title: 'Search Conversations',
  description:
    'Finds messages on all branches of all chats by a question or words: any may match, in any form; what has more and rarer ones comes first. "quotes": a phrase that must stand there; -word: one that must not; in:title, by:user or by:assistant, file:path, before: and since:2025-01-31 limit it. Hits in [brackets].',
  input: z.object({
    query: z.string().trim().min(1).max(1_000),
    chat: z.string().max(500).optional().describe('only in this chat'),
    role: z.enum(['user', 'assistant']).optional(),
    limit: pageLimit(50, 10),
    cursor,
  }),
  output: z.object({ results: z.array(hit), nextCursor: z.string().optional() }),
  run: async (reading, { query, chat, role, limit, cursor: from }) => {
    const offset = offsetOf(from);
    const visible = await visibleHits(reading, { query, chat, role, except: undefined }, offset + limit + 1);
    const { items: results, ...more } = pageOf(visible, offset, limit);
    const blocks = results.map(
      (each) =>
        `- ${each.role} in chat ${quoted(each.chat)} (${each.title || 'no title'}), ${
          each.branch === undefined ? 'at a checkpoint' : `branch ${quoted(each.branch)}`
        }, message ${quoted(each.message)}, ${each.at}\n  ${each.snippet}`,
    );
    const text = results.length === 0 ? ['No results.'] : blocks;
    return { text: [...text, ...moreLine(more)].join('\n'), data: { results, ...more } };
  },
});

interface Wanted {
  readonly query: string;
  readonly chat: string | undefined;
  readonly role: string | undefined;
  /** In all chats but this one. */
  readonly except: string | undefined;
}

/** The first hits that a program may see. */
export async function visibleHits(
  reading: Reading,
  { query, chat, role, except }: Wanted,
  most: number,
): Promise<Hit[]> {
  const { store, userId } = reading;
  const options = { limit: MOST_HITS, ...(role === undefined ? {} : { roles: [role] }) };
  if (chat !== undefined) await visibleChat(reading, chat);
  const found =
    chat === undefined
      ? await store.searchAllMessages(query, { ...options, userId })
      : await store.searchMessages(chat, query, options);
  const chats = new Map<string, ChatData | undefined>();
  const hits: Hit[] = [];
  for (const result of found) {
    if (hits.length === most) break;
    const { chatId } = result.message;
    if (chatId === except) continue;
    if (!chats.has(chatId)) chats.set(chatId, await store.getChat(chatId, { userId }));
    const of = chats.get(chatId);
    if (!of || isArchived(of) || !isSpoken(result.message)) continue;
    const where = await whereVisible(reading, chatId, result.message.id);
    if (where) hits.push(hitOf(of, where.branch?.name, result));
  }
  return hits;
}

function hitOf(
  { id, title = '' }: ChatData,
  branch: string | undefined,
  { message, snippet }: SearchResult,
): Hit {
  return {
    chat: id,
    title: oneLine(title, TITLE),
    ...(branch === undefined ? {} : { branch }),
    message: message.id,
    role: oneLine(message.name, 40),
    at: timeText(message.createdAt),
    snippet: oneLine(snippet, SNIPPET),
  };
}
