import { isArchived, isPinned } from '../../engine/chatFlags.ts';
import type { ChatData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

/** Whose chats are listed. */
export interface ListedChatsDeps {
  readonly store: Pick<ReadonlyStore, 'listChats'>;
  readonly userId: string;
}

/** The chats that lists show: what is pinned first, then what was used last; without what is archived. */
export async function listedChats({ store, userId }: ListedChatsDeps): Promise<ChatData[]> {
  const chats = (await store.listChats({ userId, details: false })).filter((chat) => !isArchived(chat));
  return [...chats.filter(isPinned), ...chats.filter((chat) => !isPinned(chat))];
}

/** The archived chats, the one used last first. */
export async function archivedChats({ store, userId }: ListedChatsDeps): Promise<ChatData[]> {
  return (await store.listChats({ userId, details: false })).filter(isArchived);
}
