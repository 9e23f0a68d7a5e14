import type { NamedBranch } from './archiveBranches.ts';
import type { ConversationParts } from './conversationParts.ts';

/** The alternatives that were archived, up to the one that could not be. */
export interface ArchivedAlternatives {
  readonly archived: readonly NamedBranch[];
  /** Why not all of them were; undefined when all were. */
  readonly failure: unknown;
}

/** Stops and archives the answers that were not chosen; the branch that is active by now is passed over. */
export async function archiveAlternatives(
  { store, userId, runs }: Pick<ConversationParts, 'store' | 'userId' | 'runs'>,
  chatId: string,
  others: readonly string[],
): Promise<ArchivedAlternatives> {
  const archived: NamedBranch[] = [];
  try {
    for (const name of others) {
      await runs.stop(chatId, name);
      // The user may have gone there meanwhile.
      if ((await store.getBranch(chatId, name, { userId }))?.isActive !== false) continue;
      await store.archiveBranch(chatId, name, { userId });
      archived.push({ chatId, name });
    }
  } catch (failure) {
    return { archived, failure };
  }
  return { archived, failure: undefined };
}
