import { z } from 'zod';
import type { LogEventKind } from './graph.ts';
import type { JsonObject } from './json.ts';
import type { UIMessage } from './uiMessage.ts';

/** Why the log says that a branch was made on which a task is explored. */
export const EXPLORE = 'explore';

/** What the message of a task keeps beside the text the model reads. */
export const explorationTask = z.object({ title: z.string() });
/** A task that the agent gave to a run of its own, on a branch beside its answer. */
export type ExplorationTask = z.infer<typeof explorationTask>;

const taskMetadata = z.looseObject({ explorationTask });

/** The task that a message gives; undefined for every other message. */
export function explorationTaskOf(message: Pick<UIMessage, 'metadata'>): ExplorationTask | undefined {
  // Most messages have no such member: looked at before the schema, for this runs over whole paths.
  if (typeof message.metadata !== 'object' || message.metadata === null) return undefined;
  if (!('explorationTask' in message.metadata)) return undefined;
  return taskMetadata.safeParse(message.metadata).data?.explorationTask;
}

/** The message that a task begins with. */
export function explorationTaskMessage(id: string, task: ExplorationTask, prompt: string): UIMessage {
  return { id, role: 'user', metadata: { explorationTask: task }, parts: [{ type: 'text', text: prompt }] };
}

/**
 * What a model is sent of a path. A task is told apart from the conversation in which it came up: what stands before
 * the last one is not sent, and stands there so that the tree shows where the task comes from.
 */
export function sinceTask(path: readonly UIMessage[]): readonly UIMessage[] {
  const at = path.findLastIndex((message) => explorationTaskOf(message) !== undefined);
  return at <= 0 ? path : path.slice(at);
}

/** What of an entry of the log is read here. */
interface BranchEvent {
  readonly kind: LogEventKind;
  readonly branch?: string | undefined;
  readonly details: JsonObject;
}

/** The kinds of entries that {@link explorationBranches} reads. */
export const explorationEventKinds = ['branch-created', 'branch-renamed'] as const;

/** The names that branches made for tasks have now. */
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
