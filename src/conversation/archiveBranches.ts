import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';

/** A branch of any chat. */
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

/** Shows archived branches in lists again. */
export async function unarchiveBranches(
  store: Pick<ContextStore, 'unarchiveBranch'>,
  archived: readonly NamedBranch[],
  by: ViewedBy,
): Promise<void> {
  for (const { chatId, name } of archived) await store.unarchiveBranch(chatId, name, by);
}
