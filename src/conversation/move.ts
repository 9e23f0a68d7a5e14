import type { BranchData, BranchInfo } from '../engine/graph.ts';
import type { AddBranch } from '../engine/store.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import { isProvisional, keepIfHeld } from './leaveBranch.ts';

/** A move in the tree: the branch that was left, and the one that is active now; the same where one stayed. */
export interface Move {
  readonly chatId: string;
  readonly from: string;
  readonly to: BranchInfo;
}

export type MoveParts = Pick<ConversationParts, 'store' | 'userId' | 'current' | 'runs' | 'queue'>;

/** Moves in a chat (the open one unless another is given), and opens it. */
export async function move(
  parts: MoveParts,
  step: (chatId: string, active: BranchData) => Promise<BranchInfo>,
  inChat?: string,
): Promise<Move> {
  const { store, userId, current } = parts;
  const chatId = inChat ?? (await current.chatId());
  const active = await activeBranch(store, chatId, { userId });
  await keepIfHeld(parts, active);
  const to = await step(chatId, active);
  await current.open(chatId);
  return { chatId, from: active.name, to };
}

/** Where a branch is made, and how the log calls that. */
export type BranchOff = Pick<AddBranch, 'messageId' | 'event' | 'details'>;

/** Goes to a point of a chat, on a branch that is dropped when it is left and nothing was said on it. */
export function moveTo(parts: MoveParts, at: BranchOff, inChat?: string): Promise<Move> {
  const { store, userId } = parts;
  return move(
    parts,
    async (chatId, active) => {
      // A branch that holds nothing serves as well as another.
      if (active.headMessageId === at.messageId && (await isProvisional(store, active))) return active;
      return store.addBranch({
        ...at,
        ...{ chatId, userId, from: active.name, activate: true, naming: 'flat', isProvisional: true },
      });
    },
    inChat,
  );
}
