import { z } from 'zod';
import { actionFailed, localised } from './everyPage.ts';
import { partView, textPartView } from './views.ts';

/** What the host sends to every page that shows answers. */
export const answersFromHost = z.discriminatedUnion('type', [
  localised,
  actionFailed,
  /** The conversation, or the answers, can't be shown: nothing is, so that nobody takes another one for it. */
  z.strictObject({
    type: z.literal('conversationFailed'),
    reason: z.string(),
    /** The shared store can't be reached, which is tried again by itself. */
    isAway: z.literal(true).optional(),
  }),
  /** More of an answer that streams, on whichever branch; `offset` is the length of what the part held before. */
  z.strictObject({
    type: z.literal('answerDelta'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: textPartView,
    offset: z.number().int().nonnegative(),
  }),
  /** A part of an answer on its way that is new, or has changed as a whole: the call of a tool. */
  z.strictObject({
    type: z.literal('answerPart'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: partView,
  }),
  /** Themes colour code differently from now on: the page asks anew how its own does. */
  z.strictObject({ type: z.literal('codeColoursChanged') }),
]);
export type AnswersFromHost = z.infer<typeof answersFromHost>;
