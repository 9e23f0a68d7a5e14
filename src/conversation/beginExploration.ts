import type { BegunExploration, NewExploration } from '../agent/writes.ts';
import { BranchNotFoundError } from '../engine/errors.ts';
import { EXPLORE, explorationTaskMessage } from '../engine/explorationTask.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { appendOnNewBranch } from '../engine/appendOnNewBranch.ts';
import { messageNode } from './messageNode.ts';

/**
 * Makes the branch of a task, next to the answer that gives it: existing messages stay, and the active branch stays
 * active. The branch, the task and its title are one transaction.
 * @throws BranchNotFoundError, MessageNotFoundError, ReadOnlyError
 */
export async function beginExploration(
  store: Pick<ContextStore, 'listBranches' | 'saveMessages'>,
  { chatId, branchId, afterId, title, prompt }: NewExploration,
  { userId }: ViewedBy,
): Promise<BegunExploration> {
  const by = userId === undefined ? {} : { userId };
  // It may have been renamed by now.
  const from = (await store.listBranches(chatId, { includeArchived: true, ...by })).find(
    ({ id }) => id === branchId,
  );
  if (!from) throw new BranchNotFoundError(branchId);
  const taskId = crypto.randomUUID();
  const message = explorationTaskMessage(taskId, { title: title.toWellFormed() }, prompt.toWellFormed());
  const branch = await appendOnNewBranch(store, {
    from,
    at: afterId,
    why: EXPLORE,
    activate: false,
    ...by,
    messages: [messageNode('user', message)],
    event: { kind: 'titled', details: { title: title.toWellFormed() } },
  });
  return { branch, taskId };
}
