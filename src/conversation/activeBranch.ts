import type { BranchData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/users.ts';
import { ContextEngine } from '../engine/contextEngine.ts';
import type { ConversationParts } from './conversationParts.ts';

export async function activeBranch(
  store: Pick<ContextStore, 'getActiveBranch'>,
  chatId: string,
  by: ViewedBy,
): Promise<BranchData> {
  const branch = await store.getActiveBranch(chatId, by);
  if (!branch) throw new Error(`Chat ${chatId} has no active branch.`);
  return branch;
}

/** Closes the engine afterwards. */
export async function withEngine<T>(
  { store, userId }: Pick<ConversationParts, 'store' | 'userId'>,
  chatId: string,
  work: (engine: ContextEngine) => Promise<T>,
): Promise<T> {
  const engine = new ContextEngine({ store, chatId, userId, branchNames: 'flat' });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
