import { NothingToCompactError } from '../agent/compaction/compactionErrors.ts';
import type { CompactionRequest } from '../agent/compaction/compactionOptions.ts';
import { NothingToAnswerError, type Run } from '../agent/runs.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';

/**
 * Replaces the older part of the active branch by a summary, as a separate run, and then, if requested, continues the
 * answer or answers the question that is waiting.
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
    // The chat has no messages yet.
    throw error instanceof NothingToAnswerError ? new NothingToCompactError() : error;
  }
}
