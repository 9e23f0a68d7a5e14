import type { ContextEngine, RewindResult } from '../engine/contextEngine.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import { withEngine } from './withEngine.ts';

/** A move in the tree: the branch that was left, and the one that is active now. */
export interface Move {
  readonly chatId: string;
  readonly from: string;
  readonly to: RewindResult;
}

export type MoveParts = Pick<ConversationParts, 'store' | 'userId' | 'current'>;

/** Moves in a chat (the open one unless another is given), and opens it. */
export async function move(
  parts: MoveParts,
  step: (engine: ContextEngine) => Promise<RewindResult>,
  inChat?: string,
): Promise<Move> {
  const { store, userId, current } = parts;
  const chatId = inChat ?? (await current.chatId());
  const from = (await activeBranch(store, chatId, { userId })).name;
  const to = await withEngine(parts, chatId, step);
  await current.open(chatId);
  return { chatId, from, to };
}
