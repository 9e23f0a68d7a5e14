import type { BranchData, CheckpointData } from '../../engine/graph.ts';
import type { ContextStore } from '../../engine/store.ts';
import type { ChatOutline } from './treeNodes.ts';

/** What the tree shows of a chat. */
export async function readOutline(store: ContextStore, chatId: string): Promise<ChatOutline> {
  const branches = await store.listBranches(chatId);
  const checkpoints = await Promise.all(
    (await store.listCheckpoints(chatId)).map(async (checkpoint) => ({
      checkpoint,
      branch: await branchOf(store, branches, checkpoint),
    })),
  );
  return { branches, checkpoints };
}

/** The branch whose own messages (those after its fork) hold the checkpoint's: the oldest one, if several share it. */
async function branchOf(
  store: ContextStore,
  branches: readonly BranchData[],
  { chatId, messageId }: CheckpointData,
): Promise<string> {
  for (const branch of branches) {
    if (branch.headMessageId === null) continue;
    if (await store.getPathAfter(chatId, messageId, branch.headMessageId)) return branch.name;
  }
  return branches[0]?.name ?? '';
}
