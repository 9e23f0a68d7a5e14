import { z } from 'zod';
import { isToolPart, type UIMessage } from '../../engine/uiMessage.ts';
import { amount, tokensUsed } from '../run/answerMetadata.ts';
import type { AnyToolPart } from '../../models/messages/toolParts.ts';

export const EXPLORE_TOOL = 'explore';

export const MAX_TASKS = 4;

/** What identifies a tool call: the short members of its input. */
const taskInput = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type TaskInput = z.infer<typeof taskInput>;

/** What a task is doing now: using a tool, writing, or waiting until it may send another request. */
const taskStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tool'), name: z.string(), input: taskInput }),
  z.object({ kind: z.literal('writing') }),
  z.object({ kind: z.literal('retrying') }),
]);
export type TaskStep = z.infer<typeof taskStep>;

/**
 * The progress of a task. It is stored with the call, so that the exploration can be found however the call ends.
 * `stopped`: by the user, individually; `interrupted`: with the answer.
 */
export const taskProgress = z.object({
  title: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'interrupted']),
  /** Its branch, by its original name and by its permanent id. */
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
  /** Why its report is missing or incomplete. */
  reason: z.string().optional(),
});
export type TaskProgress = z.infer<typeof taskProgress>;

const tasks = z.array(taskProgress).max(MAX_TASKS);
const inProgress = z.looseObject({ offshoot: z.looseObject({ tasks }) });
const inOutput = z.looseObject({ details: z.looseObject({ tasks }) });

/** The progress of a call's tasks; undefined for a call that explores nothing. */
export function tasksOf(part: AnyToolPart): readonly TaskProgress[] | undefined {
  // Another provider's tool may have the same name.
  if (part.type !== `tool-${EXPLORE_TOOL}`) return undefined;
  const output = part.state === 'output-available' ? inOutput.safeParse(part.output).data : undefined;
  return output?.details.tasks ?? inProgress.safeParse(part.callProviderMetadata).data?.offshoot.tasks;
}

export function tasksIn({ parts }: Pick<UIMessage, 'parts'>): readonly TaskProgress[] {
  return parts.filter(isToolPart).flatMap((part) => tasksOf(part) ?? []);
}

/** The number of requests that produced a message: each but the first begins with its own part. */
export function stepsIn({ parts }: Pick<UIMessage, 'parts'>): number {
  return parts.length === 0 ? 0 : 1 + parts.filter(({ type }) => type === 'step-start').length;
}
