import type { StoreChange } from '../../../engine/graph.ts';
import type { WriteArguments, WriteName } from '../../writeTypes.ts';

/**
 * The changes announced to windows that did not request the write; undefined: nothing that a window shows changed.
 */
export function announcedChanges<N extends WriteName>(
  name: N,
  given: WriteArguments[N],
  changes: readonly StoreChange[],
): readonly StoreChange[] | undefined {
  if (name === 'removePiece') return undefined;
  const isDraft = name === 'saveDraft' || name === 'deleteDraft';
  if (!isDraft || !('chatId' in given) || !('branch' in given)) return changes;
  const { chatId, branch } = given;
  return [{ kind: 'draft', chatId, branch, change: name === 'saveDraft' ? 'saved' : 'removed' }];
}
