import type { ChatData } from '../../engine/graph.ts';
import type { SharedChats } from '../shared/sharedChats.ts';
import type { ChatState } from './treeItems.ts';

/** How a chat is shared, and who else is in it; undefined where the conversations are on this machine. */
export async function sharingOf(
  shared: SharedChats | undefined,
  { id, userId }: ChatData,
): Promise<ChatState['sharing']> {
  if (!shared) return undefined;
  const others = new Set((await shared.others(id)).map((other) => other.userId));
  return { ...(await shared.sharing(id)), isOwn: userId === shared.userId, others: [...others] };
}
