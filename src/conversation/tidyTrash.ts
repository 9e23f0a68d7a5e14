import type { ContextStore } from '../engine/store.ts';
import { TRASH_LIFETIME, type EmptiedTrash, type EmptyTrash, type RestoredEntry } from '../engine/trash.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';

/** Restores an item from the trash. @throws TrashEntryNotFoundError, TrashConflictError */
export function putBack(
  store: Pick<ContextStore, 'trash'>,
  entryId: string,
  by: ViewedBy,
): Promise<RestoredEntry> {
  return store.trash.restore(entryId, by);
}

/** Permanently removes items from the trash, and unreferenced bytes. */
export function emptyTrash(store: Pick<ContextStore, 'trash'>, options: EmptyTrash): Promise<EmptiedTrash> {
  return store.trash.empty(options);
}

/**
 * Removes items that have been in the trash for 30 days. @returns undefined in a window that does not write: another
 * one does it
 */
export async function tidyTrash(
  store: Pick<ContextStore, 'trash' | 'listChats' | 'isReadOnly' | 'isWriter'>,
  now: number,
): Promise<EmptiedTrash | undefined> {
  // Which window writes is known only after the first call.
  await store.listChats({ limit: 1 });
  if (store.isReadOnly || !store.isWriter) return undefined;
  return store.trash.empty({ deletedBefore: now - TRASH_LIFETIME });
}
