import type { BranchData, MessageData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import {
  describeSummary,
  NothingToTakeError,
  summaryDetails,
  summaryMessage,
  type WrittenSummary,
} from './summaryNode.ts';

/** The messages of a branch after the point where it diverges from another. @throws NothingToTakeError */
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

/** Adds a summary of another branch to the end of a branch. One transaction. @throws HeadConflictError */
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
