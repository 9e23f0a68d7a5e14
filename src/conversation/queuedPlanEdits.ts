import { editPlan, planEditIn } from '../agent/plans/plan.ts';
import { ContextEngine } from '../engine/contextEngine.ts';
import type { BranchData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import { updateQueue, type QueuedQuestion } from './keptQueues.ts';

/** The edits of a plan that no answer has taken go to the plan: it is as the user saved it, however the answer ended. */
export async function applyQueuedEdits(
  { store, userId }: { readonly store: ContextStore; readonly userId: string },
  { chatId, id: branchId, name }: BranchData,
  queue: readonly QueuedQuestion[],
): Promise<void> {
  const edits = queue.flatMap(({ id, attached }) => {
    const edit = planEditIn(attached);
    return edit ? [{ id, edit }] : [];
  });
  const engine = new ContextEngine({ store, chatId, userId, branch: name, branchNames: 'flat' });
  try {
    for (const { edit } of edits) await editPlan(engine, edit);
    await engine.save();
  } finally {
    await engine.close();
  }
  const applied = new Set(edits.map(({ id }) => id));
  await updateQueue(store, chatId, branchId, (waiting) => waiting.filter(({ id }) => !applied.has(id)));
}
