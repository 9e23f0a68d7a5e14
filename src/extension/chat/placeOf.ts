import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ShownPosition } from '../../protocol/answersFromPage.ts';
import { NEW_BRANCH } from './conversationView.ts';

/** What is open, as a page should show it. */
export async function placeOf({
  store,
  current,
}: {
  readonly store: Pick<ReadonlyStore, 'getChat' | 'getActiveBranch'>;
  readonly current: Pick<OpenChat, 'chatId'>;
}): Promise<ShownPosition & { readonly branch: string }> {
  const chatId = await current.chatId();
  const branch = (await store.getChat(chatId)) && (await store.getActiveBranch(chatId));
  return { chatId, branch: branch?.name ?? NEW_BRANCH };
}
