import { explorationBranches, explorationEventKinds } from '../../engine/explorationTask.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { cleanTitle } from '../chats/titles.ts';
import { ChatOutline, type Exploration } from './outline.ts';

/** Reads what the tree shows of a chat, or everything; undefined when the chat no longer exists. */
export async function readOutline(
  store: ReadonlyStore,
  chatId: string,
  { all = false }: { readonly all?: boolean } = {},
): Promise<ChatOutline | undefined> {
  const chat = await store.getChat(chatId);
  if (!chat) return undefined;
  return new ChatOutline({
    chat,
    // The active one is visible, archived or not.
    branches: (await store.listBranches(chatId, { includeArchived: true })).filter(
      ({ archivedAt, isActive }) => all || archivedAt === undefined || isActive,
    ),
    checkpoints: await store.listCheckpoints(chatId),
    nodes: await store.getSkeleton(chatId),
    titles: await readTitles(store, chatId),
    explored: await readExplored(store, chatId),
    tasks: explorationBranches(await store.listEvents(chatId, { kinds: explorationEventKinds })),
  });
}

async function readTitles(store: ReadonlyStore, chatId: string): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (const { messageId, details } of await store.listEvents(chatId, { kind: 'titled' })) {
    const title = typeof details['title'] === 'string' ? cleanTitle(details['title']) : '';
    if (messageId !== undefined && title !== '') titles.set(messageId, title);
  }
  return titles;
}

async function readExplored(store: ReadonlyStore, chatId: string): Promise<Map<string, Exploration>> {
  const explored = new Map<string, Exploration>();
  for (const { messageId, details } of await store.listEvents(chatId, { kind: 'rewind-report' })) {
    const { goal, abandonedHead } = details;
    if (typeof goal !== 'string' || typeof abandonedHead !== 'string' || messageId === undefined) continue;
    explored.set(abandonedHead, { goal, reportId: messageId });
  }
  return explored;
}
