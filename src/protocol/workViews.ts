import { z } from 'zod';
import { usageView } from './answerUsage.ts';

/** What calls without changes read: each kind is counted separately where they are shown together. */
export const readingKind = z.enum(['file', 'folder', 'search', 'problems', 'notes']);
export type ReadingKind = z.infer<typeof readingKind>;

/** What a call reads, if it changes nothing. */
export const readingView = z.object({
  kind: readingKind,
  /** The file or folder: read twice, it counts once. */
  of: z.string(),
});
export type ReadingView = z.infer<typeof readingView>;

/** An entry of the agent's todo list. */
export const todoView = z.object({ title: z.string(), status: z.enum(['pending', 'in_progress', 'done']) });
export type TodoView = z.infer<typeof todoView>;

/** The total of all steps of a turn. */
export const turnView = z.object({
  /** Time of the model and its tools, in milliseconds; without idle time. */
  duration: z.number(),
  /** The number of requests to the model. */
  steps: z.number(),
  /** Left out if nothing was counted. */
  usage: usageView.optional(),
});
export type TurnView = z.infer<typeof turnView>;
