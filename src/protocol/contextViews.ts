import { z } from 'zod';

/** The conversation is so long that it will soon exceed the model's context. */
export const contextWarningView = z.object({
  text: z.string(),
  /** It already exceeds the context. */
  isFull: z.literal(true).optional(),
});
export type ContextWarningView = z.infer<typeof contextWarningView>;

/** How much of a model's context the next request takes. */
export const contextView = z.object({
  tokens: z.number(),
  /** The size of the context; left out if unknown. */
  window: z.number().positive().optional(),
});
export type ContextView = z.infer<typeof contextView>;

/** The messages that are summarized for the model: the page folds them. */
export const compactionView = z.object({
  /** The summary in force. */
  messageId: z.string(),
  /** The last message that it covers. */
  until: z.string(),
  /** Covered messages that are sent anyway. */
  kept: z.array(z.string()),
  /** How many messages it covers. */
  count: z.number(),
});
export type CompactionView = z.infer<typeof compactionView>;
