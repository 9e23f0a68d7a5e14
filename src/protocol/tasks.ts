import { z } from 'zod';
import { usageView } from './answerUsage.ts';

/** A task that an answer has explored, for display. */
export const taskView = z.object({
  title: z.string(),
  /** `interrupted`: by a restart. */
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'interrupted']),
  /** The original name of its branch, by which its run is stopped, and the branch's id. */
  branch: z.string().optional(),
  branchId: z.string().optional(),
  /** The number of requests to the model. */
  steps: z.number(),
  /** The current step: “Read src/greet.ts”. */
  step: z.string().optional(),
  /** The start time, in milliseconds since 1970, while it runs. */
  startedAt: z.number().optional(),
  /** The duration, in milliseconds. */
  duration: z.number().optional(),
  usage: usageView.optional(),
  /** Why it has no report, or only a partial one. */
  reason: z.string().optional(),
});
export type TaskView = z.infer<typeof taskView>;
