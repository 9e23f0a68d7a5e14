import type { BranchData, ChatData } from '../../engine/graph.ts';
import type { SharedChats } from '../shared/sharedChats.ts';
import type { RowSharing } from './sharingTexts.ts';

/** How a chat is shared, and who else is in it; undefined where the conversations are on this machine. */
export async function sharingOf(
  shared: SharedChats | undefined,
  { id, userId }: ChatData,
): Promise<RowSharing | undefined> {
  if (!shared) return undefined;
  const others = new Set((await shared.others(id)).map((other) => other.userId));
  return { ...(await shared.sharing(id)), isOwn: userId === shared.userId, others: [...others] };
}

/** Who else is on a branch now. */
export async function othersOn(
  shared: SharedChats | undefined,
  { chatId, name }: Pick<BranchData, 'chatId' | 'name'>,
): Promise<string[]> {
  const others = (await shared?.others(chatId)) ?? [];
  return others.filter(({ branch }) => branch === name).map(({ userId }) => userId);
}
