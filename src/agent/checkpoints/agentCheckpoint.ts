import { z } from 'zod';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { toolCallsIn } from '../../models/messages/toolParts.ts';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import type { FileChange, MessageEffects } from '../../engine/effects.ts';

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
  readonly callId: string;
  /** The message that ends with the call's result: what follows it is the exploration. */
  readonly messageId: string;
}

const checkpointOutput = z.object({ details: checkpointDetails });

/** Outermost first. Stored only in the path, so that a restart, a switch of branches and a reload all see the same. */
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

/**
 * The file changes of an exploration that is left behind; the files stay as they are. One change per file, from its
 * content at the checkpoint to its content now. The report stores them, so that they also belong to the continuing
 * branch: going back to the report or later leaves these files alone, going back before it includes them.
 */
export function keptFileChanges(
  left: readonly Readonly<{ effects: MessageEffects | undefined }>[],
): FileChange[] {
  const changes = new Map<string, FileChange>();
  for (const change of left.flatMap(({ effects }) => effects?.files ?? [])) {
    const key = JSON.stringify([change.folder, change.path]);
    const first = changes.get(key);
    changes.set(key, first ? joined(first, change) : change);
  }
  return [...changes.values()];
}

function joined(first: FileChange, { after, at, madeFolders = [] }: FileChange): FileChange {
  const made = [...new Set([...(first.madeFolders ?? []), ...madeFolders])];
  return { ...first, after, at, ...(made.length === 0 ? {} : { madeFolders: made }) };
}
