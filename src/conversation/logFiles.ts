import type { JsonObject } from '../engine/json.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/users.ts';

/** Logs that files were restored to another point of a chat. */
export function logRestored(
  store: Pick<ContextStore, 'logEvent'>,
  chatId: string,
  details: JsonObject,
  { userId }: ViewedBy = {},
): Promise<void> {
  return store.logEvent({ chatId, userId, kind: 'files-restored', details });
}

/** Logs the user's decision about file edits. */
export function logReviewed(
  store: Pick<ContextStore, 'logEvent'>,
  chatId: string,
  details: JsonObject,
  { userId }: ViewedBy = {},
): Promise<void> {
  return store.logEvent({ chatId, userId, kind: 'edits-reviewed', details });
}
