import { z } from 'zod';
import { usageView } from './answerUsage.ts';
import { messageView } from './views.ts';

/** One of the alternatives: an answer to the same question. */
export const alternativeView = z.object({
  branch: z.string(),
  /** The label of the branch; left out: its name. */
  label: z.string().optional(),
  /** The conversation is on this branch. */
  isActive: z.boolean(),
  /** An answer that uses tools may be several messages; the last may still be streaming. */
  messages: z.array(messageView),
  /** In milliseconds; absent while it is written. */
  duration: z.number().optional(),
  usage: usageView.optional(),
  /** It has later messages. */
  goesOn: z.boolean(),
});
export type AlternativeView = z.infer<typeof alternativeView>;

/** The alternatives to one question, side by side. */
export const alternativesView = z.object({
  chatId: z.string(),
  questionId: z.string(),
  question: z.string(),
  alternatives: z.array(alternativeView),
  isReadOnly: z.boolean(),
});
export type AlternativesView = z.infer<typeof alternativesView>;
