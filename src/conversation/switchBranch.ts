import { move, type Move, type MoveParts } from './move.ts';

/**
 * Makes another branch the active one, in the open chat or in another one, which is then opened. A dropped branch is
 * made again.
 * @throws BranchNotFoundError
 */
export function switchBranch(parts: MoveParts, name: string, chatId?: string): Promise<Move> {
  return move(
    parts,
    async (engine, active) => (active.name === name ? active : engine.switchBranch(name)),
    chatId,
  );
}
