import type { LateAnswer } from '../agent/writes.ts';
import { storable } from '../engine/storable.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';

/** Saves an answer after its question, on a new branch if the question's branch has continued without it. */
export async function saveLateAnswer(
  store: Pick<ContextStore, 'saveMessages'>,
  { chatId, branch, afterId, message, effects }: LateAnswer,
  { userId }: ViewedBy = {},
): Promise<void> {
  await store.saveMessages({
    chatId,
    userId,
    branch,
    expectedHead: afterId,
    onHeadConflict: 'fork',
    newBranchAt: undefined,
    activate: false,
    naming: 'flat',
    messages: [
      {
        id: message.id,
        name: message.role,
        type: 'message',
        data: storable(message, 'answer'),
        invocationId: undefined,
        replaces: undefined,
        effects,
      },
    ],
  });
}
