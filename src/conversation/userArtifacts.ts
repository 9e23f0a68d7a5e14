import type { ConversationParts } from './conversationParts.ts';
import { withEngine } from './activeBranch.ts';

/** A document of the user, with a separate version. */
export interface UserArtifact {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Saves a new version of an artifact, through the chat it was written in. */
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
