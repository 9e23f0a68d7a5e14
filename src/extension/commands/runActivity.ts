import type { Run } from '../../agent/run/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import { isToolPart } from '../../engine/uiMessage.ts';

/** `asking`: a tool waits for the user's approval. */
export type RunActivity = 'streaming' | 'asking';

export function activityOf(run: Run, approvals: Pick<Approvals, 'get'>): RunActivity {
  const waits = run
    .message()
    .parts.some(
      (part) =>
        isToolPart(part) &&
        part.state === 'approval-requested' &&
        approvals.get(part.approval.id) !== undefined,
    );
  return waits ? 'asking' : 'streaming';
}
