import { sha256 } from '../../engine/sha256.ts';
import { MAX_NAME_LENGTH } from '../../engine/storable.ts';

/** Whose instructions: those of one chat, or those of all chats of this workspace. */
export type InstructionsOf = { readonly chatId: string } | 'workspace';

/** What the artifacts that hold instructions are called; nothing rewinds them, and no tool may write them. */
export const INSTRUCTIONS = 'user:instructions';

/** Names are limited, and the ids of chats that came from elsewhere may be longer. */
export async function artifactName(of: InstructionsOf): Promise<string> {
  if (of === 'workspace') return INSTRUCTIONS;
  const name = `${INSTRUCTIONS}/${of.chatId}`;
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${INSTRUCTIONS}/${await sha256(new TextEncoder().encode(of.chatId))}`;
}
