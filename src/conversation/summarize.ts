import { MessageNotFoundError } from '../engine/errors.ts';
import type { BranchData, MessageData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { continueWith } from '../engine/appendOnNewBranch.ts';
import { combinedEffects, copies } from './copies.ts';
import { describeSummary, summaryDetails, summaryMessage, type WrittenSummary } from './summaryNode.ts';

/** Which part of a branch is replaced by a summary on a new branch. */
export type SummaryExtent = 'up-to-here' | 'from-here';

/** A part of a branch. */
export interface PathPart {
  /** The messages before it, root first. */
  readonly before: readonly MessageData[];
  readonly part: readonly MessageData[];
  readonly after: readonly MessageData[];
}

/** The messages up to one of a branch, or from it on. @throws MessageNotFoundError when it is not on the branch */
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
 * Replaces a part of a branch by a summary, on a new branch that becomes the active one: later messages are copied.
 * The original branch does not change. State, artifacts and changed files at the new head equal those of the old one.
 * One transaction.
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
