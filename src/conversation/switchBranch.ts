import { move, type Move, type MoveParts } from './move.ts';

/** Makes another branch the active one, in the open chat or in another, which is opened. */
export function switchBranch(parts: MoveParts, name: string, chatId?: string): Promise<Move> {
  return move(parts, (engine) => engine.switchBranch(name), chatId);
}
