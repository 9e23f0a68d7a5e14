import { isArchived, isPinned } from '../../engine/chatFlags.ts';
import type { ChatData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { USER_ID } from './currentChat.ts';

/** The chats that lists show: what is pinned first, then what was used last; without what is archived. */
export async function listedChats(store: Pick<ReadonlyStore, 'listChats'>): Promise<ChatData[]> {
  const chats = (await store.listChats({ userId: USER_ID, details: false })).filter(
    (chat) => !isArchived(chat),
  );
  return [...chats.filter(isPinned), ...chats.filter((chat) => !isPinned(chat))];
}

/** The archived chats, the one used last first. */
export async function archivedChats(store: Pick<ReadonlyStore, 'listChats'>): Promise<ChatData[]> {
  return (await store.listChats({ userId: USER_ID, details: false })).filter(isArchived);
}
