import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/users.ts';
import type { ConversationParts } from './conversationParts.ts';
import type { BranchData, ChatData, CheckpointData } from '../engine/graph.ts';

export interface NamedBranch {
  readonly chatId: string;
  readonly name: string;
}

/**
 * Archives branches; of several, active branches are skipped.
 * @returns the archived ones
 * @throws ActiveBranchError when the only one is active
 */
export async function archiveBranches(
  store: Pick<ContextStore, 'archiveBranch' | 'getBranch'>,
  chosen: readonly NamedBranch[],
  by: ViewedBy,
): Promise<NamedBranch[]> {
  const archived: NamedBranch[] = [];
  for (const { chatId, name } of chosen) {
    if (chosen.length > 1 && (await store.getBranch(chatId, name, by))?.isActive) continue;
    await store.archiveBranch(chatId, name, by);
    archived.push({ chatId, name });
  }
  return archived;
}

export async function unarchiveBranches(
  store: Pick<ContextStore, 'unarchiveBranch'>,
  archived: readonly NamedBranch[],
  by: ViewedBy,
): Promise<void> {
  for (const { chatId, name } of archived) await store.unarchiveBranch(chatId, name, by);
}

/** Up to the first failure. */
export interface ArchivedAlternatives {
  readonly archived: readonly NamedBranch[];
  /** Why not all of them were archived; undefined when all were. */
  readonly failure: unknown;
}

export async function archiveAlternatives(
  { store, userId, runs }: Pick<ConversationParts, 'store' | 'userId' | 'runs'>,
  chatId: string,
  others: readonly string[],
): Promise<ArchivedAlternatives> {
  const archived: NamedBranch[] = [];
  try {
    for (const name of others) {
      await runs.stop(chatId, name);
      // The user may have switched there since the alternatives were listed.
      if ((await store.getBranch(chatId, name, { userId }))?.isActive !== false) continue;
      await store.archiveBranch(chatId, name, { userId });
      archived.push({ chatId, name });
    }
  } catch (failure) {
    return { archived, failure };
  }
  return { archived, failure: undefined };
}

/** @throws ChatNotFoundError */
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
