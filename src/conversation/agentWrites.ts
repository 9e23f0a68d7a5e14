import type { AgentWrites, LateAnswer } from '../agent/run/writes.ts';
import { ContextEngine } from '../engine/contextEngine.ts';
import type { ContextStore } from '../engine/store.ts';
import type { LoadLater } from './loadLater.ts';
import { clearSent, listQueue } from './keptQueues.ts';
import { storable } from '../engine/storable.ts';
import type { ViewedBy } from '../engine/users.ts';

export function createAgentWrites(store: ContextStore, userId: string, loadLater: LoadLater): AgentWrites {
  const by = { userId };
  return {
    openEngine: (chatId, branch) => new ContextEngine({ store, chatId, userId, branch, branchNames: 'flat' }),
    saveLateAnswer: (answer) => saveLateAnswer(store, answer, by),
    applyRewind: async (rewind) => (await loadLater()).applyRewind(store, rewind, by),
    saveCompaction: async (compaction) => (await loadLater()).saveCompaction(store, compaction, by),
    beginExploration: async (exploration) => (await loadLater()).beginExploration(store, exploration, by),
    listDrafts: (chatId) => store.listDrafts(chatId, by),
    saveDraft: (draft, options) => store.saveDraft({ ...draft, userId }, options),
    steering: async (chatId, branchId) =>
      (await listQueue(store, await store.getChat(chatId), branchId)).filter(({ isSteering }) => isSteering),
    clearSent: (chatId, branchId) => clearSent(store, chatId, branchId),
    deleteDraft: (chatId, branch) => store.deleteDraft(chatId, branch, by),
  };
}

/** On a new branch if the question's branch has continued without it. */
async function saveLateAnswer(
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
