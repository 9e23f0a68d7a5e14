import { z } from 'zod';
import type { PortableChat } from '../engine/portableChat.ts';

/**
 * A chat in the terms that the platform plans for its own history: turns, each with its previous one, and the current
 * turn. It repeats what messages and branches contain, for programs that use those terms; it is never read.
 */
export const turnGraph = z.object({
  /** The last turn of the active branch. */
  headTurnId: z.string().nullable().optional(),
  turns: z.array(z.object({ id: z.string(), parentTurnId: z.string().nullable() })).optional(),
});

/** A turn is a question with all its answers. */
export function turnGraphOf({
  messages,
  branches,
}: Pick<PortableChat, 'messages' | 'branches'>): z.infer<typeof turnGraph> {
  const turnOf = new Map<string | null, string>();
  const parents = new Map<string, string | null>();
  for (const { id, parentId, invocationId } of messages) {
    turnOf.set(id, invocationId);
    // A message comes after its parent: the first one of a turn determines what the turn follows.
    if (!parents.has(invocationId)) parents.set(invocationId, turnOf.get(parentId) ?? null);
  }
  const head = branches.find(({ isActive }) => isActive)?.headMessageId ?? null;
  return {
    headTurnId: turnOf.get(head) ?? null,
    turns: [...parents].map(([id, parentTurnId]) => ({ id, parentTurnId })),
  };
}
