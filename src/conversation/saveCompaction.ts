import type { SavedCompaction } from '../agent/writes.ts';
import { BRANCH_SUMMARY } from '../engine/branchSummary.ts';
import { pathSummaryMessage } from '../engine/pathSummary.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { storableStrings } from '../agent/tools/storedStrings.ts';
import { messageNode } from './messageNode.ts';
import { summaryDetails } from './summaryNode.ts';

/** Saves a summary on the branch it shortens, after the part of the answer written meanwhile. One transaction. */
export async function saveCompaction(
  store: Pick<ContextStore, 'saveMessages'>,
  { chatId, branch, afterId, answers, summary: written, metadata }: SavedCompaction,
  { userId }: ViewedBy = {},
): Promise<void> {
  const summary = { ...written, text: (await storableStrings(written.text)) as string };
  const node = pathSummaryMessage(crypto.randomUUID(), summary);
  await store.saveMessages({
    chatId,
    userId,
    branch,
    expectedHead: afterId,
    onHeadConflict: 'error',
    newBranchAt: undefined,
    activate: false,
    messages: [
      ...answers.map((answer) => messageNode(answer.role, answer)),
      messageNode(BRANCH_SUMMARY, { ...node, metadata: { ...metadata, pathSummary: summary } }),
    ],
    event: { kind: 'summarised', details: summaryDetails(summary) },
  });
}
