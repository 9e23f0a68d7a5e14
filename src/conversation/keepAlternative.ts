import type { NamedBranch } from './archiveBranches.ts';
import type { ConversationParts } from './conversationParts.ts';

/** The archived alternatives, up to the first failure. */
export interface ArchivedAlternatives {
  readonly archived: readonly NamedBranch[];
  /** Why not all of them were archived; undefined when all were. */
  readonly failure: unknown;
}

/** Stops and archives the alternatives that were not chosen; a branch that is now active is skipped. */
export async function archiveAlternatives(
  { store, userId, runs }: Pick<ConversationParts, 'store' | 'userId' | 'runs'>,
  chatId: string,
  others: readonly string[],
): Promise<ArchivedAlternatives> {
  const archived: NamedBranch[] = [];
  try {
    for (const name of others) {
      await runs.stop(chatId, name);
      // The user may have switched there meanwhile.
      if ((await store.getBranch(chatId, name, { userId }))?.isActive !== false) continue;
      await store.archiveBranch(chatId, name, { userId });
      archived.push({ chatId, name });
    }
  } catch (failure) {
    return { archived, failure };
  }
  return { archived, failure: undefined };
}
