import { BRANCH_SUMMARY } from '../../engine/branchSummary.ts';
import { pathSummaryOf } from '../../engine/pathSummary.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { CompactionView } from '../../protocol/contextViews.ts';

/** The messages that a compaction replaced; undefined for other messages. */
export function compactionAt(message: MessageData): CompactionView | undefined {
  const read = message.name === BRANCH_SUMMARY ? readUIMessage(message.data) : undefined;
  const summary = read && pathSummaryOf(read);
  if (summary?.kind !== 'compacted') return undefined;
  const { to, kept = [], count } = summary.source;
  return { messageId: message.id, until: to, kept, count };
}

/** The last compaction on a path, of which only the end may be given. */
export function compactionIn(path: readonly MessageData[]): CompactionView | undefined {
  for (const message of path.toReversed()) {
    const found = compactionAt(message);
    if (found) return found;
  }
  return undefined;
}
