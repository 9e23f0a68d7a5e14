import { sha256 } from '../../engine/sha256.ts';
import { MAX_NAME_LENGTH } from '../../engine/storable.ts';

/** The owner of instructions: one chat, or all chats of this workspace. */
export type InstructionsOf = { readonly chatId: string } | 'workspace';

/** The name of artifacts with instructions; they are never rewound, and no tool may write them. */
export const INSTRUCTIONS = 'user:instructions';

/** Names are limited, and the ids of imported chats may be longer. */
export async function artifactName(of: InstructionsOf): Promise<string> {
  if (of === 'workspace') return INSTRUCTIONS;
  const name = `${INSTRUCTIONS}/${of.chatId}`;
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${INSTRUCTIONS}/${await sha256(new TextEncoder().encode(of.chatId))}`;
}
