import { z } from 'zod';
import { usageView } from './answerUsage.ts';

/** What calls that change nothing look at: each kind is counted by itself where they are shown together. */
export const readingKind = z.enum(['file', 'folder', 'search', 'problems', 'notes']);
export type ReadingKind = z.infer<typeof readingKind>;

/** What a call looks at, where it changes nothing. */
export const readingView = z.object({
  kind: readingKind,
  /** The file or folder: looked at twice, it counts once. */
  of: z.string(),
});
export type ReadingView = z.infer<typeof readingView>;

/** An entry of the agent's todo list. */
export const todoView = z.object({ title: z.string(), status: z.enum(['pending', 'in_progress', 'done']) });
export type TodoView = z.infer<typeof todoView>;

/** What all steps of a turn took together. */
export const turnView = z.object({
  /** Of the model and its tools, in milliseconds; without the time that nobody worked in. */
  duration: z.number(),
  /** Requests to the model. */
  steps: z.number(),
  /** Left out where nothing was counted. */
  usage: usageView.optional(),
});
export type TurnView = z.infer<typeof turnView>;
