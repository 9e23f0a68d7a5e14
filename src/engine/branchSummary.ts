import { z } from 'zod';
import type { UIMessage } from './uiMessage.ts';

/** The name of the node that holds a report. */
export const BRANCH_SUMMARY = 'branch_summary';

/** What a report's message stores in addition to the text for the model. */
export const branchSummary = z.object({
  report: z.string(),
  goal: z.string(),
  /** The call that made the checkpoint which this report ends. */
  checkpoint: z.string(),
  /** Both in ISO 8601. */
  startedAt: z.string(),
  rewoundAt: z.string(),
  /** The head of the branch that was explored, and its name when it was left. */
  abandonedHead: z.string().nullable(),
  exploredBranch: z.string(),
  /** The message of the checkpoint was gone: the branch begins before the first message. */
  isFromRoot: z.boolean().optional(),
});
/** The report of a side path that was explored and left: its goal, its times, and where the path can be found. */
export type BranchSummary = z.infer<typeof branchSummary>;

const summaryMetadata = z.looseObject({ branchSummary });

/** The summary a message holds; undefined for every other message. */
export function branchSummaryOf(message: Pick<UIMessage, 'metadata'>): BranchSummary | undefined {
  // Checked before the schema because this runs over whole paths and most messages have no such member.
  if (typeof message.metadata !== 'object' || message.metadata === null) return undefined;
  if (!('branchSummary' in message.metadata)) return undefined;
  return summaryMetadata.safeParse(message.metadata).data?.branchSummary;
}

/**
 * The message that gives the model the report, once: the exploration itself is on another branch.
 * @param siblings the results of other tools in the step that requested the rewind
 */
export function branchSummaryMessage(
  id: string,
  summary: BranchSummary,
  siblings: readonly string[],
): UIMessage {
  const text = [
    summary.isFromRoot === true
      ? 'The checkpoint you went back to is no longer there, so this begins at the root of the conversation.'
      : 'You explored from the checkpoint above and went back to it. What you said and read meanwhile is not here any more.',
    `<report goal=${JSON.stringify(summary.goal)}>\n${summary.report}\n</report>`,
    ...(siblings.length === 0 ? [] : ['Results of the tools called together with the rewind:', ...siblings]),
    'Go on from here with what the report says.',
  ].join('\n\n');
  return { id, role: 'user', metadata: { branchSummary: summary }, parts: [{ type: 'text', text }] };
}
