import { z } from 'zod';

/** The conversation has grown so long that a model will soon not be able to read all of it. */
export const contextWarningView = z.object({
  text: z.string(),
  /** It cannot read all of it any more. */
  isFull: z.literal(true).optional(),
});
export type ContextWarningView = z.infer<typeof contextWarningView>;

/** How much of what a model can read at once the next request takes. */
export const contextView = z.object({
  tokens: z.number(),
  /** What fits in; left out where nothing is known of it. */
  window: z.number().positive().optional(),
});
export type ContextView = z.infer<typeof contextView>;

/** What of the path the model is sent a summary of: the page folds it. */
export const compactionView = z.object({
  /** The summary in force. */
  messageId: z.string(),
  /** The last message that it stands for. */
  until: z.string(),
  /** Those before it that are sent all the same. */
  kept: z.array(z.string()),
  /** How many messages it stands for. */
  count: z.number(),
});
export type CompactionView = z.infer<typeof compactionView>;
