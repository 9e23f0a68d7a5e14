/** How a chat of a shared store can be read and written by others. */
export type SharedWith = 'private' | 'read' | 'write';

/** What sharing needs of a shared store. */
export interface SharingStore {
  shareChat(chatId: string, access: SharedWith): Promise<void>;
}

/**
 * Lets others read or continue a chat, or keeps it to its owner again. Who is in it stays in it until they look next.
 * @throws OffshootError `not-allowed` for a chat of somebody else
 */
export async function shareChat(store: SharingStore, chatId: string, access: SharedWith): Promise<void> {
  await store.shareChat(chatId, access);
}
