import { MessageNotFoundError } from '../engine/errors.ts';
import type { BranchData } from '../engine/graph.ts';
import { compactionOf } from '../engine/sentPath.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import { continueWith } from '../engine/appendOnNewBranch.ts';
import { copies } from './copies.ts';
import { byClick, move, type Move, type MoveParts } from './move.ts';

/**
 * Continues without a summary that is on a branch, on a new one: later messages are copied, with their state,
 * artifacts and changed files. The original branch does not change. One transaction.
 * @throws MessageNotFoundError when there is no such summary on the branch
 */
export async function undoCompaction(parts: MoveParts, branch: BranchData, messageId: string): Promise<Move> {
  const { store, userId, current } = parts;
  const { chatId, headMessageId } = branch;
  const path = headMessageId === null ? [] : await store.getPath(chatId, headMessageId);
  const at = path.findIndex(({ id }) => id === messageId);
  const summary = path[at];
  if (!summary || !compactionOf(readUIMessage(summary.data) ?? {})) throw new MessageNotFoundError(messageId);
  const after = path.slice(at + 1);
  if (after.length === 0) return move(parts, (engine) => engine.rewindBefore(messageId, byClick));
  const details = { summary: 'undone', from: branch.name, headMessageId };
  const to = await continueWith(
    store,
    branch,
    summary.parentId,
    copies(after, { withEffects: true }),
    { kind: 'summarised', details },
    { userId },
  );
  await current.open(chatId);
  return { chatId, from: branch.name, to };
}
