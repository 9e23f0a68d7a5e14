import { z } from 'zod';
import type { answersFromHost } from './answers.ts';
import {
  acting,
  answersNotices,
  answersRequests,
  id,
  ready,
  stopAnswer,
  type answersReplies,
} from './answers.ts';
import { requestOf, type Replies } from './everyPage.ts';
import { messageView, usageView } from './views.ts';

/** The messages of the page of alternatives to its host. */
export const alternativesFromPage = z.discriminatedUnion('type', [
  ready,
  ...answersNotices,
  stopAnswer,
  /** Switches to the branch of the chosen answer. */
  z.strictObject({ type: z.literal('keepAlternative'), ...acting, branch: id }),
  /** Stops all answers to the question that is shown. */
  z.strictObject({ type: z.literal('stopAlternatives'), ...acting }),
  requestOf(z.discriminatedUnion('type', answersRequests)),
]);
export type AlternativesFromPage = z.infer<typeof alternativesFromPage>;

export interface AlternativesProtocol {
  readonly fromPage: AlternativesFromPage;
  readonly replies: Replies<typeof answersReplies>;
  readonly fromHost: AlternativesFromHost;
}

/** One of the alternatives: an answer to the same question. */
const alternativeView = z.object({
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
const alternativesView = z.object({
  chatId: z.string(),
  questionId: z.string(),
  question: z.string(),
  alternatives: z.array(alternativeView),
  isReadOnly: z.boolean(),
});
export type AlternativesView = z.infer<typeof alternativesView>;

/** The current answers to one question; absent when the question is gone. */
export const alternativesChanged = z.strictObject({
  type: z.literal('alternativesChanged'),
  place: z.object({ chatId: z.string(), questionId: z.string() }),
  alternatives: alternativesView.optional(),
});

/** The host's messages to the page of alternatives. */
export type AlternativesFromHost = z.infer<typeof answersFromHost> | z.infer<typeof alternativesChanged>;
