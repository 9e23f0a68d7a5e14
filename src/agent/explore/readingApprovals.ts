import type { ApprovalRequest, Approvals } from '../tools/approvals.ts';
import { ToolError } from '../tools/toolError.ts';

/** How a run's tools ask for approval. */
export type AskedApprovals = Pick<Approvals, 'ask' | 'isAllowed'>;

/**
 * For runs that work alongside an answer: they may do what the user has already allowed, and never ask. Parallel
 * questions from unwatched runs would be answered without being read.
 */
export function withoutAsking(approvals: AskedApprovals): AskedApprovals {
  return {
    isAllowed: (request, chatId) => approvals.isAllowed(request, chatId),
    ask: (request, { chatId }) =>
      approvals.isAllowed(request, chatId) ? Promise.resolve() : Promise.reject(refusal(request)),
  };
}

function refusal({ reads }: ApprovalRequest): ToolError {
  const what = reads === undefined ? 'This' : `Reading “${reads}”`;
  return new ToolError(
    `${what} needs the user’s leave, and you can’t ask for it while you explore. Go on without it, and name it in ` +
      'your report: whoever gave you the task can ask.',
    'leave-needed',
  );
}
