import type { JsonObject } from '../engine/json.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';

/** Keeps in the log of a chat what the user decided about edits of files. */
export function logReviewed(
  store: Pick<ContextStore, 'logEvent'>,
  chatId: string,
  details: JsonObject,
  { userId }: ViewedBy = {},
): Promise<void> {
  return store.logEvent({ chatId, userId, kind: 'edits-reviewed', details });
}
