import type { BranchData, ChatData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { groupResults, type ChatResults, type Found } from './groupResults.ts';
import { MARKS } from './snippet.ts';

/** Whose messages are searched. */
export type RoleFilter = 'all' | 'questions' | 'answers';

/** How many results there are at first, and how many are added each time. */
export const PAGE = 50;

const ROLES: Readonly<Record<RoleFilter, readonly string[]>> = {
  all: [],
  questions: ['user'],
  answers: ['assistant', 'branch_summary'],
};

export interface SearchQuery {
  readonly words: string;
  readonly roles: RoleFilter;
  readonly limit: number;
}

export interface SearchAnswer {
  readonly query: SearchQuery;
  readonly chats: readonly ChatResults[];
  readonly count: number;
  /** There may be more than were requested. */
  readonly hasMore: boolean;
}

/** Searches all chats of a user. */
export async function searchChats(
  store: ReadonlyStore,
  userId: string,
  query: SearchQuery,
): Promise<SearchAnswer> {
  // One more than is shown reveals whether there are more.
  const all = await store.searchAllMessages(query.words.replaceAll(/[“”„]/g, '"'), {
    userId,
    limit: query.limit + 1,
    roles: ROLES[query.roles],
    marks: MARKS,
  });
  const results = all.slice(0, query.limit);
  const chats = new Map<string, ChatData | undefined>();
  const found: Found[] = [];
  for (const result of results) {
    const { chatId, id } = result.message;
    if (!chats.has(chatId)) chats.set(chatId, await store.getChat(chatId));
    const chat = chats.get(chatId);
    const branch: BranchData | undefined = chat && (await store.findBranchWith(chatId, id));
    if (chat) found.push({ result, chat, branch });
  }
  return { query, chats: groupResults(found), count: found.length, hasMore: all.length > query.limit };
}
