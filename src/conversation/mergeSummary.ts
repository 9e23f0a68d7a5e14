import type { BranchData, MessageData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { continueWith } from './appendOnNewBranch.ts';
import {
  describeSummary,
  NothingToTakeError,
  summaryDetails,
  summaryMessage,
  type WrittenSummary,
} from './summaryNode.ts';

/** What a branch has that another has not: everything after the point where they part. @throws NothingToTakeError */
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
  if (own.length === 0) throw new NothingToTakeError(source.name);
  return own;
}

/** Adds a summary of another branch to a branch, on a new one that becomes the active one. One transaction. */
export async function mergeSummary(
  store: Pick<ContextStore, 'getPath' | 'saveMessages'>,
  source: BranchData,
  target: BranchData,
  written: WrittenSummary,
  by: ViewedBy = {},
): Promise<BranchData> {
  const own = await ownPart(store, source, target);
  const summary = describeSummary('brought-back', source, own, written);
  const event = { kind: 'brought-back', details: summaryDetails(summary) } as const;
  return continueWith(store, target, target.headMessageId, [summaryMessage(summary, undefined)], event, by);
}
