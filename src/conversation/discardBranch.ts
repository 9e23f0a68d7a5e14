import { ActiveBranchError, BranchNotFoundError } from '../engine/errors.ts';
import type { DiscardedBranch } from '../engine/trash.ts';
import type { ConversationParts } from './conversationParts.ts';
import { updateQueue } from './keptQueues.ts';

/**
 * Removes a branch permanently, bypassing the trash, with its queue; its answer is stopped first.
 * @throws ActiveBranchError, LastBranchError, BranchNotFoundError
 */
export async function discardBranch(
  { store, userId, runs }: Pick<ConversationParts, 'store' | 'userId' | 'runs'>,
  chatId: string,
  name: string,
): Promise<DiscardedBranch> {
  const branch = await store.getBranch(chatId, name, { userId });
  if (!branch) throw new BranchNotFoundError(name);
  // If the branch cannot be discarded, its answer continues.
  if (branch.isActive) throw new ActiveBranchError(name);
  await runs.stop(chatId, name);
  await updateQueue(store, chatId, branch.id, () => []);
  return store.trash.discardBranch(chatId, name, { userId });
}
