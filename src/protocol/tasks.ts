import { z } from 'zod';
import { usageView } from './answerUsage.ts';

/** A task that an answer has explored, as the user reads it. */
export const taskView = z.object({
  title: z.string(),
  /** `interrupted`: by a restart. */
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'interrupted']),
  /** The name that its branch was made with, by which its run is stopped, and the branch's id. */
  branch: z.string().optional(),
  branchId: z.string().optional(),
  /** Requests to the model. */
  steps: z.number(),
  /** What it does now: “Read src/greet.ts”. */
  step: z.string().optional(),
  /** When it began, in milliseconds since 1970, while it runs. */
  startedAt: z.number().optional(),
  /** How long it took, in milliseconds. */
  duration: z.number().optional(),
  usage: usageView.optional(),
  /** Why it has no report, or not a whole one. */
  reason: z.string().optional(),
});
export type TaskView = z.infer<typeof taskView>;
