import type { BranchData, ChatData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { SearchResult } from '../../engine/store.ts';

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

/** Why a message is found that is about lines of a file. */
export type AboutLines = 'wrote' | 'imported' | 'attached' | 'named';

export interface FoundMessage extends SearchResult {
  readonly about?: readonly AboutLines[];
  /** Who else wrote it, or asked for it, in a shared store. */
  readonly author?: string;
}

/** Finds what is about lines of a file. Undefined: the query names no lines of a file of the open folders. */
export type FindAboutLines = (query: string) => Promise<readonly FoundMessage[] | undefined>;

export interface SearchAnswer {
  readonly query: SearchQuery;
  readonly chats: readonly ChatResults[];
  readonly count: number;
  /** There may be more than were requested. */
  readonly hasMore: boolean;
}

export async function searchChats(
  store: ReadonlyStore,
  userId: string,
  query: SearchQuery,
  findAboutLines?: FindAboutLines,
): Promise<SearchAnswer> {
  const roles = ROLES[query.roles];
  const aboutLines = await findAboutLines?.(query.words);
  const all: readonly FoundMessage[] =
    aboutLines?.filter(({ message }) => roles.length === 0 || roles.includes(message.name)) ??
    // One more than is shown reveals whether there are more.
    (await store.searchAllMessages(query.words.replaceAll(/[“”„]/g, '"'), {
      userId,
      limit: query.limit + 1,
      roles,
      marks: MARKS,
    }));
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

interface Found {
  readonly result: FoundMessage;
  readonly chat: ChatData;
  /** Undefined when only a checkpoint leads to it. */
  readonly branch: BranchData | undefined;
}

export interface BranchResults {
  readonly chatId: string;
  readonly branch: BranchData | undefined;
  readonly messages: readonly FoundMessage[];
}

export interface ChatResults {
  readonly chat: ChatData;
  readonly count: number;
  readonly branches: readonly BranchResults[];
}

/**
 * The best chats and branches come first; in a branch, messages keep the order of the conversation.
 * @param found best first
 */
function groupResults(found: readonly Found[]): ChatResults[] {
  const chats = new Map<string, { chat: ChatData; found: Found[] }>();
  for (const each of found) {
    const known = chats.get(each.chat.id);
    if (known) known.found.push(each);
    else chats.set(each.chat.id, { chat: each.chat, found: [each] });
  }
  return [...chats.values()].map(({ chat, found: inChat }) => ({
    chat,
    count: inChat.length,
    branches: groupByBranch(chat.id, inChat),
  }));
}

function groupByBranch(chatId: string, found: readonly Found[]): BranchResults[] {
  const branches = new Map<
    string | undefined,
    { branch: BranchData | undefined; messages: FoundMessage[] }
  >();
  for (const { branch, result } of found) {
    const known = branches.get(branch?.id);
    if (known) known.messages.push(result);
    else branches.set(branch?.id, { branch, messages: [result] });
  }
  return [...branches.values()].map(({ branch, messages }) => ({
    chatId,
    branch,
    messages: messages.sort((a, b) => a.message.depth - b.message.depth),
  }));
}

/** Marks before and after each hit: characters that nobody types. */
export const MARKS = ['\u{F0000}', '\u{F0001}'] as const;

/** In UTF-16 units; more text on the left would push the first hit out of view. */
const BEFORE = 16;

interface Snippet {
  readonly text: string;
  /** Start and end, in UTF-16 units. */
  readonly hits: [number, number][];
}

/** Reads a snippet with {@link MARKS} in it: one line, with the first hit near its beginning. */
export function readSnippet(marked: string): Snippet {
  const [start, end] = MARKS;
  // The `#` of a heading is not part of the text.
  const line = marked
    .replace(/^\s*#{1,6}\s/u, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const hits: [number, number][] = [];
  let text = '';
  for (const [index, piece] of line.split(start).entries()) {
    const [hit = '', ...rest] = index === 0 ? ['', piece] : piece.split(end);
    if (hit !== '') hits.push([text.length, text.length + hit.length]);
    // The fences of a code block are not part of the text.
    text += hit + rest.join('').replaceAll(/`{3,}\w* ?/gu, '');
  }
  return fromFirstHit(text, hits);
}

function fromFirstHit(text: string, hits: [number, number][]): Snippet {
  const first = hits[0]?.[0] ?? 0;
  if (first <= BEFORE) return { text, hits };
  const space = text.indexOf(' ', first - BEFORE);
  // A text without spaces is cut at the hit itself.
  const from = space >= 0 && space < first ? space + 1 : first;
  return {
    text: `…${text.slice(from)}`,
    hits: hits.map(([begin, end]) => [begin - from + 1, end - from + 1]),
  };
}
