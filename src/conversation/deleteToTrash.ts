import { ActiveBranchError, BranchNotFoundError } from '../engine/errors.ts';
import {
  TRASH_LIFETIME,
  type TrashEntry,
  type DiscardedBranch,
  type EmptiedTrash,
  type EmptyTrash,
  type RestoredEntry,
} from '../engine/trash.ts';
import { stopAnswers } from './answer.ts';
import type { ConversationParts } from './conversationParts.ts';
import { updateQueue } from './keptQueues.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/users.ts';

export interface DeletedChat {
  readonly entry: TrashEntry | undefined;
  /** It was the open one; another is open now. */
  readonly wasOpen: boolean;
}

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

/** Stops its answer first. @throws ActiveBranchError, LastBranchError */
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

/** Undefined when there was none. */
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

/**
 * Removes a branch permanently, bypassing the trash, with its queue; its answer is stopped first.
 * @throws ActiveBranchError, LastBranchError, BranchNotFoundError
 */
export async function discardBranch(
  { store, userId, runs }: Pick<ConversationParts, 'store' | 'userId' | 'runs'>,
  chatId: string,
  name: string,
): Promise<DiscardedBranch> {
  const branch = await store.getBranch(chatId, name, { userId });
  if (!branch) throw new BranchNotFoundError(name);
  // If the branch cannot be discarded, its answer continues.
  if (branch.isActive) throw new ActiveBranchError(name);
  await runs.stop(chatId, name);
  await updateQueue(store, chatId, branch.id, () => []);
  return store.trash.discardBranch(chatId, name, { userId });
}

/** @throws TrashEntryNotFoundError, TrashConflictError */
export function putBack(
  store: Pick<ContextStore, 'trash'>,
  entryId: string,
  by: ViewedBy,
): Promise<RestoredEntry> {
  return store.trash.restore(entryId, by);
}

/** Also removes unreferenced bytes. */
export function emptyTrash(store: Pick<ContextStore, 'trash'>, options: EmptyTrash): Promise<EmptiedTrash> {
  return store.trash.empty(options);
}

/** @returns undefined in a window that does not write: another one does it */
export async function tidyTrash(
  store: Pick<ContextStore, 'trash' | 'listChats' | 'isReadOnly' | 'isWriter'>,
  now: number,
): Promise<EmptiedTrash | undefined> {
  // Which window writes is known only after the first call.
  await store.listChats({ limit: 1 });
  if (store.isReadOnly || !store.isWriter) return undefined;
  return store.trash.empty({ deletedBefore: now - TRASH_LIFETIME });
}
