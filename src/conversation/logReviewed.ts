import type { JsonObject } from '../engine/json.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';

/** Logs the user's decision about file edits. */
export function logReviewed(
  store: Pick<ContextStore, 'logEvent'>,
  chatId: string,
  details: JsonObject,
  { userId }: ViewedBy = {},
): Promise<void> {
  return store.logEvent({ chatId, userId, kind: 'edits-reviewed', details });
}
