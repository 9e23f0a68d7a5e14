import type { ChatData } from '../engine/graph.ts';
import type { ChatChanges, ChatUpdate } from '../engine/store.ts';
import { changesOf } from '../storing/chatChanges.ts';
import { requireChat } from './operations/chatOperations.ts';
import type { StoreSession } from './storeSession.ts';

/** Changes a chat by a function, repeating until no other change happened between its read and its write. */
export async function updateByFunction(
  session: StoreSession,
  chatId: string,
  update: Exclude<ChatUpdate, ChatChanges>,
): Promise<ChatData> {
  for (;;) {
    const seen = requireChat(await session.read(), chatId);
    const changes = changesOf(update, structuredClone(seen));
    if (!changes) return seen;
    const changed = await session.write('updateSeenChat', { chatId, seen, changes });
    if (changed) return changed;
  }
}
