import { z } from 'zod';
import { isToolPart, type UIMessage } from '../../engine/uiMessage.ts';
import { amount, tokensUsed } from '../answerMetadata.ts';
import type { AnyToolPart } from '../tools/toolParts.ts';

export const EXPLORE_TOOL = 'explore';

/** How many tasks are explored at once for one answer. */
export const MAX_TASKS = 4;

/** What names the call of a tool: the short members of its input. */
const taskInput = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type TaskInput = z.infer<typeof taskInput>;

/** What a task is doing at this moment: it uses a tool, writes, or waits until it may ask the model again. */
const taskStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tool'), name: z.string(), input: taskInput }),
  z.object({ kind: z.literal('writing') }),
  z.object({ kind: z.literal('retrying') }),
]);
export type TaskStep = z.infer<typeof taskStep>;

/**
 * How far a task has come. It is kept with the call, so that whatever becomes of that, what was explored is found.
 * `stopped`: by the user, alone; `interrupted`: with the answer.
 */
export const taskProgress = z.object({
  title: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'interrupted']),
  /** Its branch, by the name that it was made with and by its id, which stays. */
  branch: z.string().optional(),
  branchId: z.string().optional(),
  /** Requests to the model so far. */
  steps: z.number().int().min(0),
  step: taskStep.optional().catch(undefined),
  /** Milliseconds since 1970. */
  startedAt: z.number().optional(),
  finishedAt: z.number().optional(),
  usage: tokensUsed.optional().catch(undefined),
  /** In US dollars. */
  cost: amount,
  /** Why it has no report, or not a whole one. */
  reason: z.string().optional(),
});
export type TaskProgress = z.infer<typeof taskProgress>;

const tasks = z.array(taskProgress).max(MAX_TASKS);
const inProgress = z.looseObject({ offshoot: z.looseObject({ tasks }) });
const inOutput = z.looseObject({ details: z.looseObject({ tasks }) });

/** How far the tasks of a call have come; undefined for a call that explores nothing. */
export function tasksOf(part: AnyToolPart): readonly TaskProgress[] | undefined {
  // A tool of somebody else's may have the same name.
  if (part.type !== `tool-${EXPLORE_TOOL}`) return undefined;
  const output = part.state === 'output-available' ? inOutput.safeParse(part.output).data : undefined;
  return output?.details.tasks ?? inProgress.safeParse(part.callProviderMetadata).data?.offshoot.tasks;
}

/** All tasks that were explored for a message. */
export function tasksIn({ parts }: Pick<UIMessage, 'parts'>): readonly TaskProgress[] {
  return parts.filter(isToolPart).flatMap((part) => tasksOf(part) ?? []);
}

/** Requests to the model that a message came of: each but the first begins with a part of its own. */
export function stepsIn({ parts }: Pick<UIMessage, 'parts'>): number {
  return parts.length === 0 ? 0 : 1 + parts.filter(({ type }) => type === 'step-start').length;
}
