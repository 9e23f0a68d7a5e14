import type { LateAnswer } from '../agent/writes.ts';
import { storable } from '../engine/storable.ts';
import type { ContextStore } from '../engine/store.ts';

/** Saves an answer after its question, on a branch of its own where the question's has gone on without it. */
export async function saveLateAnswer(
  store: Pick<ContextStore, 'saveMessages'>,
  { chatId, branch, afterId, message, effects }: LateAnswer,
): Promise<void> {
  await store.saveMessages({
    chatId,
    branch,
    expectedHead: afterId,
    onHeadConflict: 'fork',
    newBranchAt: undefined,
    activate: false,
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
