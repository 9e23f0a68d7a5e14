import { z } from 'zod';
import { alternativesView } from './alternatives.ts';
import { answersFromHost } from './answersFromHost.ts';

/** The current answers to one question; absent when the question is gone. */
export const alternativesChanged = z.strictObject({
  type: z.literal('alternativesChanged'),
  place: z.object({ chatId: z.string(), questionId: z.string() }),
  alternatives: alternativesView.optional(),
});

/** The host's messages to the page of alternatives. */
export const alternativesFromHost = z.discriminatedUnion('type', [
  ...answersFromHost.options,
  alternativesChanged,
]);
export type AlternativesFromHost = z.infer<typeof alternativesFromHost>;
