import type { BranchData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';

/** The branch that a user is on in a chat. There is always one. */
export async function activeBranch(
  store: Pick<ContextStore, 'getActiveBranch'>,
  chatId: string,
  by: ViewedBy,
): Promise<BranchData> {
  const branch = await store.getActiveBranch(chatId, by);
  if (!branch) throw new Error(`Chat ${chatId} has no active branch.`);
  return branch;
}
