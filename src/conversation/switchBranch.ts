import { BranchNotFoundError } from '../engine/errors.ts';
import { findReachable } from './leaveBranch.ts';
import { move, type Move, type MoveParts } from './move.ts';

/**
 * Makes another branch the active one, in the open chat or in another, which is opened. One that was dropped comes back.
 * @throws BranchNotFoundError
 */
export function switchBranch(parts: MoveParts, name: string, chatId?: string): Promise<Move> {
  const { store, userId } = parts;
  return move(
    parts,
    async (inChat, active) => {
      if (active.name === name) return active;
      const goal = await findReachable(store, inChat, name);
      if (!goal) throw new BranchNotFoundError(name);
      if (!goal.dropped) return store.activateBranch(inChat, name, { userId });
      const { headMessageId, dropped } = goal;
      return store.createBranch({
        ...{ chatId: inChat, userId, name, headMessageId, activate: true, isProvisional: true },
        ...(dropped.from === undefined ? {} : { from: dropped.from }),
      });
    },
    chatId,
  );
}
