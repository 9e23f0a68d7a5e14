import { ActiveBranchError } from '../engine/errors.ts';
import type { TrashEntry } from '../engine/trash.ts';
import { stopAnswers } from './answer.ts';
import type { ConversationParts } from './conversationParts.ts';

/** A chat that was moved to the trash. */
export interface DeletedChat {
  readonly entry: TrashEntry | undefined;
  /** It was the open one; another is open now. */
  readonly wasOpen: boolean;
}

/** Moves a chat to the trash; its answers are stopped first. */
export async function deleteChat(
  parts: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'current'>,
  chatId: string,
): Promise<DeletedChat> {
  const { store, userId, current } = parts;
  const wasOpen = (await current.chatId()) === chatId;
  // Answers in progress are saved first, so that they can be restored, too.
  await stopAnswers(parts, chatId);
  await store.deleteChat(chatId, { userId });
  await current.leave(chatId);
  return { entry: await newest(parts, chatId), wasOpen };
}

/** Moves a branch to the trash; its answer is stopped first. @throws ActiveBranchError, LastBranchError */
export async function deleteBranch(
  { store, userId, runs }: Pick<ConversationParts, 'store' | 'userId' | 'runs'>,
  chatId: string,
  name: string,
): Promise<TrashEntry> {
  // If the branch cannot be deleted, its answer continues.
  if ((await store.getBranch(chatId, name, { userId }))?.isActive) throw new ActiveBranchError(name);
  // The received part goes into the trash with it.
  await runs.stop(chatId, name);
  return store.deleteBranch(chatId, name, { userId });
}

/** Moves a checkpoint to the trash. @returns undefined when there was none */
export async function deleteCheckpoint(
  parts: Pick<ConversationParts, 'store' | 'userId'>,
  chatId: string,
  name: string,
): Promise<TrashEntry | undefined> {
  const { store, userId } = parts;
  return (await store.deleteCheckpoint(chatId, name, { userId })) ? newest(parts, chatId) : undefined;
}

async function newest(
  { store, userId }: Pick<ConversationParts, 'store' | 'userId'>,
  chatId: string,
): Promise<TrashEntry | undefined> {
  return (await store.trash.list({ userId, chatId }))[0];
}
