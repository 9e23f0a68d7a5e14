import { BRANCH_FILES_KEY, WITH_OWN_FILES } from '../agent/run/ownFilesOfRun.ts';
import { BranchBusyError } from '../agent/run/run.ts';
import { ContextEngine } from '../engine/contextEngine.ts';
import type { ConversationParts } from './conversationParts.ts';

/**
 * Has a branch work with files of its own from here on, or with the workspace. A node that only has state says it: it is
 * looked for in these alone.
 * @param id of the files; undefined: the workspace
 * @throws BranchBusyError while an answer is written there
 */
export async function setBranchFiles(
  {
    store,
    userId,
    runs,
  }: Pick<ConversationParts, 'store' | 'userId'> & {
    readonly runs: Pick<ConversationParts['runs'], 'get'>;
  },
  chatId: string,
  branch: string,
  id: string | undefined,
): Promise<void> {
  // Saving to the branch of a run would separate it from its answer.
  if (runs.get(chatId, branch)) throw new BranchBusyError(branch);
  if (id !== undefined) await store.updateChat(chatId, { metadata: WITH_OWN_FILES });
  const engine = new ContextEngine({ store, chatId, userId, branch, branchNames: 'flat' });
  try {
    if (id === undefined) engine.state.delete(BRANCH_FILES_KEY);
    else engine.state.set(BRANCH_FILES_KEY, id);
    await engine.save();
  } finally {
    await engine.close();
  }
}
