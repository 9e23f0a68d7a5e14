import { z } from 'zod';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { toolCallsIn } from '../tools/toolParts.ts';
import { branchSummaryOf } from '../../engine/branchSummary.ts';

export const CHECKPOINT_TOOL = 'checkpoint';
export const REWIND_TOOL = 'rewind';

export function isCycleTool(name: string): boolean {
  return name === CHECKPOINT_TOOL || name === REWIND_TOOL;
}

/** What the checkpoint tool stores with its result; the cycle's state is read from it. */
export const checkpointDetails = z.object({
  goal: z.string(),
  name: z.string().optional(),
  /** ISO 8601. */
  startedAt: z.string(),
});
export type CheckpointDetails = z.infer<typeof checkpointDetails>;

/** One of the agent's own checkpoints that no report has ended yet. */
export interface AgentCheckpoint extends CheckpointDetails {
  /** The call that made it. */
  readonly callId: string;
  /** The message that ends with the call's result: what follows it is the exploration. */
  readonly messageId: string;
}

const checkpointOutput = z.object({ details: checkpointDetails });

/**
 * The agent's active checkpoints at the end of a path, outermost first. They are stored only in the path, so that a
 * restart, a switch of branches and a reload all see the same ones.
 */
export function activeCheckpoints(path: readonly UIMessage[]): AgentCheckpoint[] {
  const active: AgentCheckpoint[] = [];
  for (const message of path) {
    const summary = branchSummaryOf(message);
    if (summary) {
      // Ending the outer one ends those made inside it.
      const at = active.findIndex((each) => each.callId === summary.checkpoint);
      if (at >= 0) active.length = at;
      continue;
    }
    if (message.role !== 'assistant') continue;
    for (const call of toolCallsIn(message)) {
      if (call.toolName !== CHECKPOINT_TOOL || call.state !== 'output-available') continue;
      const output = checkpointOutput.safeParse(call.output).data;
      if (output) active.push({ ...output.details, callId: call.toolCallId, messageId: message.id });
    }
  }
  return active;
}
