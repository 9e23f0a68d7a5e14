import { isArchived, isPinned } from '../../engine/chatFlags.ts';
import type { ChatData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

/** Pinned ones first, then the most recently used; without archived ones. */
export async function listedChats({
  store,
  userId,
}: {
  readonly store: Pick<ReadonlyStore, 'listChats'>;
  readonly userId: string;
}): Promise<ChatData[]> {
  const chats = (await store.listChats({ userId, details: false })).filter((chat) => !isArchived(chat));
  return [...chats.filter(isPinned), ...chats.filter((chat) => !isPinned(chat))];
}

/** The most recently used first. */
export async function archivedChats({
  store,
  userId,
}: Parameters<typeof listedChats>[0]): Promise<ChatData[]> {
  return (await store.listChats({ userId, details: false })).filter(isArchived);
}
