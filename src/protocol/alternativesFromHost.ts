import { z } from 'zod';
import { alternativesView } from './alternatives.ts';
import { answersFromHost } from './answersFromHost.ts';

/** The answers to one question anew; without any when the question is gone. */
export const alternativesChanged = z.strictObject({
  type: z.literal('alternativesChanged'),
  place: z.object({ chatId: z.string(), questionId: z.string() }),
  alternatives: alternativesView.optional(),
});

/** What the host sends to the page of alternatives. */
export const alternativesFromHost = z.discriminatedUnion('type', [
  ...answersFromHost.options,
  alternativesChanged,
]);
export type AlternativesFromHost = z.infer<typeof alternativesFromHost>;
