import type { JsonObject } from '../engine/json.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';

/** Keeps in the log of a chat that files were brought to another point of it. */
export function logRestored(
  store: Pick<ContextStore, 'logEvent'>,
  chatId: string,
  details: JsonObject,
  { userId }: ViewedBy = {},
): Promise<void> {
  return store.logEvent({ chatId, userId, kind: 'files-restored', details });
}
