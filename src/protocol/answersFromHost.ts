import { z } from 'zod';
import { actionFailed, localised } from './everyPage.ts';
import { partView, textPartView } from './views.ts';

/** The host's messages to every page that shows answers. */
export const answersFromHost = z.discriminatedUnion('type', [
  localised,
  actionFailed,
  /**
   * The conversation or the answers cannot be shown: the page is cleared, so that no other content is mistaken for
   * it.
   */
  z.strictObject({
    type: z.literal('conversationFailed'),
    reason: z.string(),
    /** The shared store cannot be reached; it is retried automatically. */
    isAway: z.literal(true).optional(),
  }),
  /** More text of a streaming answer, on any branch; `offset` is the previous length of the part. */
  z.strictObject({
    type: z.literal('answerDelta'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: textPartView,
    offset: z.number().int().nonnegative(),
  }),
  /** A new or completely changed part of a streaming answer: a tool call. */
  z.strictObject({
    type: z.literal('answerPart'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: partView,
  }),
  /** The themes' code colors have changed: the page requests those of its theme again. */
  z.strictObject({ type: z.literal('codeColoursChanged') }),
]);
export type AnswersFromHost = z.infer<typeof answersFromHost>;
