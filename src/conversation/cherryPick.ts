import { MessageNotFoundError } from '../engine/errors.ts';
import type { BranchData, MessageData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { compactionOf } from '../engine/sentPath.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import { isUserTurn } from '../engine/userTurn.ts';
import { continueWith } from '../engine/appendOnNewBranch.ts';
import { copies } from './copies.ts';

/**
 * Adds a copy of one question and its answer to a branch, on a new one that becomes the active one. Other effects of
 * the answer (notes, artifacts, files) are not copied. One transaction.
 */
export async function cherryPick(
  store: Pick<ContextStore, 'getPath' | 'saveMessages'>,
  source: BranchData,
  questionId: string,
  target: BranchData,
  by: ViewedBy = {},
): Promise<BranchData> {
  const path = source.headMessageId === null ? [] : await store.getPath(source.chatId, source.headMessageId);
  const turn = turnOf(path, questionId);
  const details = { from: source.name, messageIds: turn.map(({ id }) => id) };
  const event = { kind: 'cherry-picked', details } as const;
  return continueWith(store, target, target.headMessageId, copies(turn, { withEffects: false }), event, by);
}

/** A question, and the messages up to the next one. @throws MessageNotFoundError */
export function turnOf(path: readonly MessageData[], questionId: string): MessageData[] {
  const at = path.findIndex((message) => message.id === questionId && isUserTurn(message));
  if (at < 0) throw new MessageNotFoundError(questionId);
  const next = path.findIndex((message, index) => index > at && isUserTurn(message));
  // Nodes without text mean nothing elsewhere, and a summary of this conversation does not apply to another.
  return path
    .slice(at, next < 0 ? undefined : next)
    .filter(({ type, data }) => type === 'message' && !compactionOf(readUIMessage(data) ?? {}));
}
