import type { JsonObject } from '../engine/json.ts';
import type { ContextStore } from '../engine/store.ts';

/** Keeps in the log of a chat that files were brought to another point of it. */
export function logRestored(
  store: Pick<ContextStore, 'logEvent'>,
  chatId: string,
  details: JsonObject,
): Promise<void> {
  return store.logEvent({ chatId, kind: 'files-restored', details });
}
