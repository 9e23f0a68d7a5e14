import { pathSummaryOf, type PathSummary } from '../../engine/pathSummary.ts';
import { compactionInForce, type Compaction } from '../../engine/sentPath.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';

/** What decides about the ledger of a path, by message. */
export interface LedgerEntry {
  readonly id: string;
  readonly compaction: Compaction | undefined;
  /** A summary of the user, whose full text is on another branch. */
  readonly isReplacement: boolean;
  /** The task of an exploration: nothing before the last one is sent. */
  readonly isTask: boolean;
}

/** True for a summary whose full text is on another branch. */
export function isReplacement(message: Pick<UIMessage, 'metadata'>): boolean {
  return isElsewhere(pathSummaryOf(message));
}

/** The message that a ledger goes with: the last summary that is sent, or else the task; undefined without either. */
export function ledgerPlace(path: readonly LedgerEntry[]): string | undefined {
  const own = path.slice(
    Math.max(
      0,
      path.findLastIndex(({ isTask }) => isTask),
    ),
  );
  const found = compactionInForce(own);
  const replacement = own.findLastIndex((entry) => entry.isReplacement);
  const isSent = replacement > (found?.toIndex ?? -1);
  const at = Math.max(found?.at ?? -1, isSent ? replacement : -1);
  return (at < 0 ? own.find(({ isTask }) => isTask) : own[at])?.id;
}

/** Its full text is on another branch. */
export function isElsewhere(summary: PathSummary | undefined): summary is PathSummary {
  return summary?.kind === 'up-to-here' || summary?.kind === 'from-here';
}
