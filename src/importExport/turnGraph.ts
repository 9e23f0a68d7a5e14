import { z } from 'zod';
import type { PortableChat } from '../engine/portableChat.ts';

/**
 * A chat in the words that the platform plans for its own history: turns, each with the one before it, and which of them
 * one is on. It says again what messages and branches say, for programs that know those words; nothing is read from it.
 */
export const turnGraph = z.object({
  /** The turn that the active branch ends with. */
  headTurnId: z.string().nullable().optional(),
  turns: z.array(z.object({ id: z.string(), parentTurnId: z.string().nullable() })).optional(),
});

/** What a question and all that answers it have in common is their turn. */
export function turnGraphOf({
  messages,
  branches,
}: Pick<PortableChat, 'messages' | 'branches'>): z.infer<typeof turnGraph> {
  const turnOf = new Map<string | null, string>();
  const parents = new Map<string, string | null>();
  for (const { id, parentId, invocationId } of messages) {
    turnOf.set(id, invocationId);
    // A message comes after its parent: the first of a turn says what the turn follows.
    if (!parents.has(invocationId)) parents.set(invocationId, turnOf.get(parentId) ?? null);
  }
  const head = branches.find(({ isActive }) => isActive)?.headMessageId ?? null;
  return {
    headTurnId: turnOf.get(head) ?? null,
    turns: [...parents].map(([id, parentTurnId]) => ({ id, parentTurnId })),
  };
}
