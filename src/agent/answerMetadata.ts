import { z } from 'zod';
import { validTime } from '../engine/time.ts';
import type { UIMessage } from '../engine/uiMessage.ts';
import { chatMode } from './chatMode.ts';
import { reasoningEffort } from './reasoning/efforts.ts';
import { noticeSchema } from './notice.ts';

/** What is counted in one answer. More is made up, and would make sums that nothing can show. */
export const amount = z.number().min(0).max(1e12).optional().catch(undefined);

/** In tokens, as a model's server counted them. */
export const tokensUsed = z.object({
  inputTokens: amount,
  /** Those of the input that came from a cache, and that were put into one. */
  cachedTokens: amount,
  cacheWriteTokens: amount,
  outputTokens: amount,
  /** Those of the output that the model thought. */
  reasoningTokens: amount,
});

/** A moment that a `Date` can hold. */
const moment = z.number().transform((time) => validTime(time));

/**
 * How an answer came about; the `metadata` of every assistant message a run saves.
 * `interrupted`: stopped by the user, a restart or the model's limit of output. `failed`: an error ended it.
 */
export const answerMetadata = z.object({
  modelId: z.string(),
  modelLabel: z.string(),
  isDemo: z.boolean(),
  /** The one it was asked for with, where it was asked for with one. */
  temperature: z.number().optional(),
  /** How hard the model was asked to think, where it was asked. */
  effort: reasoningEffort.optional().catch(undefined),
  /** What the model was let do; left out: all that it is offered. */
  mode: chatMode.optional().catch(undefined),
  status: z.enum(['complete', 'interrupted', 'failed']),
  /** It tells the user what to do. */
  error: noticeSchema.optional(),
  /** Something the user should know of an answer that did not go wrong. Of some it can be continued (`waitsForUser`). */
  notice: noticeSchema.optional(),
  usage: tokensUsed.optional(),
  /** In US dollars, by the list prices of that day, of each request by itself; absent where no price is known. */
  cost: amount,
  /** Milliseconds since 1970. */
  startedAt: moment,
  finishedAt: moment,
});
export type AnswerMetadata = z.infer<typeof answerMetadata>;

/** A draft also says which node its answer follows, so that a restart puts it where it belongs. */
export const draftMetadata = answerMetadata.extend({ afterId: z.string() });
export type DraftMetadata = z.infer<typeof draftMetadata>;

/** Reads how an answer came about; undefined for messages that no run wrote. */
export function answerMetadataOf(message: Pick<UIMessage, 'metadata'>): AnswerMetadata | undefined {
  return answerMetadata.safeParse(message.metadata).data;
}
