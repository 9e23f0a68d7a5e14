import { NothingToCompactError } from '../agent/compaction/compactionErrors.ts';
import type { CompactionRequest } from '../agent/compaction/compactionOptions.ts';
import { NothingToAnswerError, type Run } from '../agent/runs.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';

/**
 * Puts a summary in place of what is far back on the active branch, as a run of its own, and then continues the answer,
 * or answers the question, where that is asked for and one waits for it.
 * @throws BranchBusyError, NothingToCompactError
 */
export async function compact(
  {
    store,
    userId,
    runs,
    models,
    current,
  }: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'models' | 'current'>,
  compacts: CompactionRequest,
): Promise<Run> {
  const chatId = await current.chatId();
  if (!(await store.getChat(chatId))) throw new NothingToCompactError();
  const { name: branch } = await activeBranch(store, chatId, { userId });
  try {
    return await runs.start({ chatId, branch, model: await models.current(), continues: true, compacts });
  } catch (error) {
    // Nothing was said yet.
    throw error instanceof NothingToAnswerError ? new NothingToCompactError() : error;
  }
}
