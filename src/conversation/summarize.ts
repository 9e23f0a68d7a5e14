import { MessageNotFoundError } from '../engine/errors.ts';
import type { BranchData, MessageData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/users.ts';
import { continueWith } from '../engine/appendOnNewBranch.ts';
import { combinedEffects, copies } from './copies.ts';
import {
  describeSummary,
  summaryDetails,
  summaryMessage,
  NothingToTakeError,
  type WrittenSummary,
} from './summaryNode.ts';
import { compactionOf } from '../engine/sentPath.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import { byClick, move, type Move, type MoveParts } from './move.ts';
import { NothingToCompactError } from '../agent/compaction/compactionErrors.ts';
import type { CompactionRequest } from '../agent/compaction/compactionOptions.ts';
import { NothingToAnswerError, type GoingOn, type Run } from '../agent/run/runs.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';

export type SummaryExtent = 'up-to-here' | 'from-here';

export interface PathPart {
  /** Root first. */
  readonly before: readonly MessageData[];
  readonly part: readonly MessageData[];
  readonly after: readonly MessageData[];
}

/** @throws MessageNotFoundError when it is not on the branch */
export async function partOf(
  store: Pick<ContextStore, 'getPath'>,
  branch: BranchData,
  messageId: string,
  extent: SummaryExtent,
): Promise<PathPart> {
  const path = branch.headMessageId === null ? [] : await store.getPath(branch.chatId, branch.headMessageId);
  const at = path.findIndex(({ id }) => id === messageId);
  if (at < 0) throw new MessageNotFoundError(messageId);
  return extent === 'up-to-here'
    ? { before: [], part: path.slice(0, at + 1), after: path.slice(at + 1) }
    : { before: path.slice(0, at), part: path.slice(at), after: [] };
}

/**
 * The new branch becomes the active one; later messages are copied to it. State, artifacts and changed files at its
 * head equal those of the original branch, which does not change. One transaction.
 */
export async function replaceBySummary(
  store: Pick<ContextStore, 'saveMessages'>,
  branch: BranchData,
  { before, part, after }: PathPart,
  extent: SummaryExtent,
  written: WrittenSummary,
  by: ViewedBy = {},
): Promise<BranchData> {
  const summary = describeSummary(extent, branch, part, written);
  const messages = [summaryMessage(summary, combinedEffects(part)), ...copies(after, { withEffects: true })];
  const event = { kind: 'summarised', details: summaryDetails(summary) } as const;
  return continueWith(store, branch, before.at(-1)?.id ?? null, messages, event, by);
}

/** The messages after the point where the branches diverge. @throws NothingToTakeError */
export async function ownPart(
  store: Pick<ContextStore, 'getPath'>,
  source: BranchData,
  target: BranchData,
): Promise<readonly MessageData[]> {
  const { chatId } = source;
  const path = source.headMessageId === null ? [] : await store.getPath(chatId, source.headMessageId);
  const known = target.headMessageId === null ? [] : await store.getPath(chatId, target.headMessageId);
  const shared = path.findIndex(({ id }, index) => known[index]?.id !== id);
  const own = shared < 0 ? [] : path.slice(shared);
  if (own.length === 0) throw new NothingToTakeError();
  return own;
}

/** One transaction. @throws HeadConflictError */
export async function mergeSummary(
  store: Pick<ContextStore, 'getPath' | 'saveMessages'>,
  source: BranchData,
  target: BranchData,
  written: WrittenSummary,
  { userId }: ViewedBy = {},
): Promise<BranchData> {
  const own = await ownPart(store, source, target);
  const summary = describeSummary('brought-back', source, own, written);
  const { branch } = await store.saveMessages({
    chatId: target.chatId,
    userId,
    branch: target.name,
    expectedHead: target.headMessageId,
    onHeadConflict: 'error',
    newBranchAt: undefined,
    activate: false,
    messages: [summaryMessage(summary, undefined)],
    event: { kind: 'brought-back', details: summaryDetails(summary) },
  });
  return branch;
}

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

/**
 * Replaces the older part of the active branch by a summary, as a separate run, and then, if requested, continues the
 * answer or answers the question that is waiting.
 * @throws BranchBusyError, NothingToCompactError
 */
export async function compact(
  {
    store,
    userId,
    runs,
    models,
    current,
  }: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'models' | 'current'>,
  compacts: CompactionRequest,
  how: GoingOn = {},
): Promise<Run> {
  const chatId = await current.chatId();
  if (!(await store.getChat(chatId))) throw new NothingToCompactError();
  const { name: branch } = await activeBranch(store, chatId, { userId });
  try {
    const model = await models.current();
    return await runs.start({ chatId, branch, model, continues: true, compacts, ...how });
  } catch (error) {
    // The chat has no messages yet.
    throw error instanceof NothingToAnswerError ? new NothingToCompactError() : error;
  }
}
