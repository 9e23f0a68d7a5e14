import { z } from 'zod';
import type { LogEventKind } from './graph.ts';
import type { JsonObject } from './json.ts';
import type { UIMessage } from './uiMessage.ts';

/** The log's reason for a branch on which a task is explored. */
export const EXPLORE = 'explore';

/** What the message of a task stores in addition to the text for the model. */
export const explorationTask = z.object({ title: z.string() });
/** A task that the agent gave to a separate run, on a branch next to its answer. */
export type ExplorationTask = z.infer<typeof explorationTask>;

const taskMetadata = z.looseObject({ explorationTask });

export function explorationTaskOf(message: Pick<UIMessage, 'metadata'>): ExplorationTask | undefined {
  // Checked before the schema because this runs over whole paths and most messages have no such member.
  if (typeof message.metadata !== 'object' || message.metadata === null) return undefined;
  if (!('explorationTask' in message.metadata)) return undefined;
  return taskMetadata.safeParse(message.metadata).data?.explorationTask;
}

export function explorationTaskMessage(id: string, task: ExplorationTask, prompt: string): UIMessage {
  return { id, role: 'user', metadata: { explorationTask: task }, parts: [{ type: 'text', text: prompt }] };
}

/**
 * What is sent to a model from a path. A task is separate from the conversation in which it came up: messages before
 * the last task are not sent; they are on the path only so that the tree shows where the task comes from.
 */
export function sinceTask(path: readonly UIMessage[]): readonly UIMessage[] {
  const at = path.findLastIndex((message) => explorationTaskOf(message) !== undefined);
  return at <= 0 ? path : path.slice(at);
}

interface BranchEvent {
  readonly kind: LogEventKind;
  readonly branch?: string | undefined;
  readonly details: JsonObject;
}

/** The kinds of entries that {@link explorationBranches} reads. */
export const explorationEventKinds = ['branch-created', 'branch-renamed'] as const;

/** The current names of branches made for tasks. */
export function explorationBranches(events: readonly BranchEvent[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, branch, details } of events) {
    if (branch === undefined) continue;
    if (kind === 'branch-created' && details['why'] === EXPLORE) names.add(branch);
    const { from } = details;
    if (kind === 'branch-renamed' && typeof from === 'string' && names.delete(from)) names.add(branch);
  }
  return names;
}
