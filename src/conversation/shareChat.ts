/** Who else can read or write a chat of a shared store. */
export type SharedWith = 'private' | 'read' | 'write';

/** What sharing needs of a shared store. */
export interface SharingStore {
  shareChat(chatId: string, access: SharedWith): Promise<void>;
}

/**
 * Lets others read or continue a chat, or makes it private again. Users in the chat stay in it until they next read
 * it.
 * @throws OffshootError `not-allowed` for a chat of another user
 */
export async function shareChat(store: SharingStore, chatId: string, access: SharedWith): Promise<void> {
  await store.shareChat(chatId, access);
}
