import { z } from 'zod';
import { triesView } from './alternatives.ts';
import { answersFromHost } from './answersFromHost.ts';

/** The answers to one question anew; without any when the question is gone. */
export const triesChanged = z.strictObject({
  type: z.literal('triesChanged'),
  place: z.object({ chatId: z.string(), questionId: z.string() }),
  tries: triesView.optional(),
});

/** What the page of answers side by side is told. */
export const alternativesFromHost = z.discriminatedUnion('type', [...answersFromHost.options, triesChanged]);
export type AlternativesFromHost = z.infer<typeof alternativesFromHost>;
