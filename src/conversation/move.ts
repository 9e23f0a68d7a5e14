import type { ContextEngine } from '../engine/contextEngine.ts';
import type { BranchData, BranchInfo } from '../engine/graph.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import { keepIfHeld } from './keepIfHeld.ts';
import { withEngine } from './withEngine.ts';

/** A move in the tree: the branch that was left, and the active one now; the same if the user did not move. */
export interface Move {
  readonly chatId: string;
  readonly from: string;
  readonly to: BranchInfo;
}

export type MoveParts = Pick<ConversationParts, 'store' | 'userId' | 'current' | 'runs' | 'queue'>;

/** A branch that was made by a click and is still empty is dropped when it is left. */
export const byClick = { provisional: true } as const;

/** Moves in a chat (the open one unless another is given), and opens it. */
export async function move(
  parts: MoveParts,
  step: (engine: ContextEngine, active: BranchData) => Promise<BranchInfo>,
  inChat?: string,
): Promise<Move> {
  const { store, userId, current } = parts;
  const chatId = inChat ?? (await current.chatId());
  const active = await activeBranch(store, chatId, { userId });
  await keepIfHeld(parts, active);
  const to = await withEngine(parts, chatId, (engine) => step(engine, active));
  await current.open(chatId);
  return { chatId, from: active.name, to };
}
