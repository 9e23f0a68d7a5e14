import type { JsonObject } from '../engine/json.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/users.ts';
import type { ConversationParts } from './conversationParts.ts';
import { withEngine } from './activeBranch.ts';

export function logRestored(
  store: Pick<ContextStore, 'logEvent'>,
  chatId: string,
  details: JsonObject,
  { userId }: ViewedBy = {},
): Promise<void> {
  return store.logEvent({ chatId, userId, kind: 'files-restored', details });
}

export function logReviewed(
  store: Pick<ContextStore, 'logEvent'>,
  chatId: string,
  details: JsonObject,
  { userId }: ViewedBy = {},
): Promise<void> {
  return store.logEvent({ chatId, userId, kind: 'edits-reviewed', details });
}

export interface UserArtifact {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

export async function saveUserArtifact(
  parts: Pick<ConversationParts, 'store' | 'userId'>,
  chatId: string,
  { name, bytes, mediaType }: UserArtifact,
): Promise<void> {
  await withEngine(parts, chatId, async (engine) => {
    await engine.artifacts.save(name, bytes, { mediaType });
    await engine.save();
  });
}
