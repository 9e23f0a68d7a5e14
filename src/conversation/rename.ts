import type { BranchData, ChatData, CheckpointData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';

/** Gives a chat the title the user wrote. @throws ChatNotFoundError */
export function renameChat(
  store: Pick<ContextStore, 'updateChat'>,
  chatId: string,
  title: string,
): Promise<ChatData> {
  return store.updateChat(chatId, { title: title.trim() });
}

/** @throws BranchNotFoundError, BranchExistsError, InvalidNameError */
export function renameBranch(
  store: Pick<ContextStore, 'renameBranch'>,
  chatId: string,
  name: string,
  newName: string,
  by: ViewedBy,
): Promise<BranchData> {
  return store.renameBranch(chatId, name, newName, by);
}

/** @throws CheckpointNotFoundError, CheckpointExistsError, InvalidNameError */
export function renameCheckpoint(
  store: Pick<ContextStore, 'renameCheckpoint'>,
  chatId: string,
  name: string,
  newName: string,
  by: ViewedBy,
): Promise<CheckpointData> {
  return store.renameCheckpoint(chatId, name, newName, by);
}
