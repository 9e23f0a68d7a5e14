import type { BranchData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';

/** The branch that a chat is on. A chat always has one. */
export async function activeBranch(
  store: Pick<ContextStore, 'getActiveBranch'>,
  chatId: string,
): Promise<BranchData> {
  const branch = await store.getActiveBranch(chatId);
  if (!branch) throw new Error(`Chat ${chatId} has no active branch.`);
  return branch;
}
