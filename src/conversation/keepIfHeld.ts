import type { BranchData } from '../engine/graph.ts';
import { keepBranch } from '../engine/provisionalBranch.ts';
import type { ConversationParts } from './conversationParts.ts';

/** Call this before leaving a branch: a run or a queued question requires it, but is not part of the branch. */
export async function keepIfHeld(
  { store, userId, runs, queue }: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'queue'>,
  branch: BranchData,
): Promise<void> {
  const { chatId, id, name } = branch;
  const isInUse = runs.get(chatId, name) !== undefined;
  if (isInUse || (await queue.list(chatId, id)).length > 0) await keepBranch(store, branch, userId);
}
