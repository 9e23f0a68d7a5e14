import { z } from 'zod';
import { isArchived } from '../../engine/chatFlags.ts';
import type { BranchData, ChatData } from '../../engine/graph.ts';
import {
  cursor,
  moreLine,
  offsetOf,
  pageLimit,
  pageOf,
  defineReadingTool,
  type Reading,
  type ToolAnswer,
} from './readingTool.ts';
import { counted, oneLine, quoted, timeText } from './shownText.ts';
import { excerpt, visibleChat } from './visible.ts';

const TITLE = 120;
const EXCERPT = 160;

const chat = z.object({ id: z.string(), title: z.string(), updatedAt: z.string(), activeBranch: z.string() });
const branch = z.object({
  name: z.string(),
  active: z.boolean(),
  messages: z.int(),
  forkMessage: z.string().optional(),
  head: z.string().optional(),
  ends: z.string(),
});
type BranchRow = z.infer<typeof branch>;

export const listBranches = defineReadingTool({
  name: 'list_branches',
  title: 'List Branches',
  description:
    'Without chat: the chats, latest first, with their ids. With chat: its branches, which is active, where each forks and how it ends.',
  input: z.object({
    chat: z.string().max(500).optional().describe('chat id'),
    limit: pageLimit(100, 30),
    cursor,
  }),
  output: z.object({
    chats: z.array(chat).optional(),
    /** Of the chat whose branches these are. */
    title: z.string().optional(),
    branches: z.array(branch).optional(),
    total: z.int().optional().describe('of its branches'),
    nextCursor: z.string().optional(),
  }),
  run: (reading, { chat: chatId, limit, cursor: from }) =>
    chatId === undefined
      ? listChats(reading, offsetOf(from), limit)
      : branchesOf(reading, chatId, offsetOf(from), limit),
});

/** The user's chats that are not archived, latest first. @param most how many are wanted */
export async function visibleChats({ store, userId }: Reading, most: number): Promise<ChatData[]> {
  const found: ChatData[] = [];
  for (let offset = 0; found.length < most;) {
    const some = await store.listChats({ userId, offset, limit: most + 1, details: false });
    found.push(...some.filter((each) => !isArchived(each)));
    offset += some.length;
    if (some.length <= most) break;
  }
  return found;
}

async function listChats(reading: Reading, offset: number, limit: number): Promise<ToolAnswer> {
  const { items, ...more } = pageOf(await visibleChats(reading, offset + limit + 1), offset, limit);
  const chats = await Promise.all(
    items.map(async ({ id, title = '', updatedAt }) => {
      const active = await reading.store.getActiveBranch(id, { userId: reading.userId });
      const about = { id, title: oneLine(title, TITLE), updatedAt: timeText(updatedAt) };
      return { ...about, activeBranch: active?.name ?? 'main' };
    }),
  );
  const lines = chats.map(
    ({ id, title, updatedAt, activeBranch }) =>
      `- chat ${quoted(id)}: ${title || '(no title)'}, ${updatedAt}, on branch ${quoted(activeBranch)}`,
  );
  const head =
    chats.length === 0 ? ['There are no chats.'] : [`${counted(chats.length, 'chat')}, latest first:`];
  return { text: [...head, ...lines, ...moreLine(more)].join('\n'), data: { chats, ...more } };
}

async function branchesOf(
  reading: Reading,
  chatId: string,
  offset: number,
  limit: number,
): Promise<ToolAnswer> {
  const title = oneLine((await visibleChat(reading, chatId)).title ?? '', TITLE);
  const all = await reading.store.listBranches(chatId, { userId: reading.userId });
  const { items, ...more } = pageOf(all, offset, limit);
  const branches = await Promise.all(items.map((each) => rowOf(reading, chatId, each)));
  const lines = branches.map((row) => {
    const from = row.forkMessage === undefined ? '' : `, forks after message ${quoted(row.forkMessage)}`;
    const end = row.head === undefined ? 'empty' : `ends with message ${quoted(row.head)}: ${row.ends}`;
    return `- ${quoted(row.name)}${row.active ? ' (active)' : ''}: ${counted(row.messages, 'message')}${from}; ${end}`;
  });
  const total = all.length;
  const head = `Chat “${title}” has ${counted(total, 'branch', 'branches')}:`;
  return { text: [head, ...lines, ...moreLine(more)].join('\n'), data: { title, branches, total, ...more } };
}

async function rowOf(
  { store }: Reading,
  chatId: string,
  { name, isActive, messageCount, forkMessageId, headMessageId }: BranchData,
): Promise<BranchRow> {
  const head = headMessageId === null ? undefined : await store.getMessage(chatId, headMessageId);
  return {
    name,
    active: isActive,
    messages: messageCount,
    ...(forkMessageId === null ? {} : { forkMessage: forkMessageId }),
    ...(head ? { head: head.id } : {}),
    ends: excerpt(head, EXCERPT),
  };
}
