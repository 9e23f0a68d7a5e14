import { z } from 'zod';
import { validTime } from '../../engine/time.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { chatMode } from './chatMode.ts';
import { reasoningEffort } from '../../models/chatModel.ts';
import { noticeSchema } from '../../models/errors/notice.ts';

/** An amount counted in one answer. Higher values are made up and would produce sums that cannot be shown. */
export const amount = z.number().min(0).max(1e12).optional().catch(undefined);

/** In tokens, as counted by the model's server. */
export const tokensUsed = z.object({
  inputTokens: amount,
  /** Input tokens read from a cache, and written to one. */
  cachedTokens: amount,
  cacheWriteTokens: amount,
  outputTokens: amount,
  /** Output tokens used for reasoning. */
  reasoningTokens: amount,
});

/** A time that a `Date` can hold. */
const moment = z.number().transform((time) => validTime(time));

/**
 * How an answer was produced; the `metadata` of every assistant message a run saves. `interrupted`: stopped by the
 * user, a restart or the model's output limit. `failed`: ended by an error.
 */
export const answerMetadata = z.object({
  modelId: z.string(),
  modelLabel: z.string(),
  isDemo: z.boolean(),
  temperature: z.number().optional(),
  effort: reasoningEffort.optional().catch(undefined),
  /** What the model was allowed to do; omitted: use all the tools it is offered. */
  mode: chatMode.optional().catch(undefined),
  status: z.enum(['complete', 'interrupted', 'failed']),
  /** Tells the user what to do. */
  error: noticeSchema.optional(),
  /** A notice about an answer that did not fail. After some notices it can be continued (`waitsForUser`). */
  notice: noticeSchema.optional(),
  usage: tokensUsed.optional(),
  /** In US dollars, at that day's list prices, summed per request; absent if a price is unknown. */
  cost: amount,
  /** Milliseconds since 1970. */
  startedAt: moment,
  finishedAt: moment,
  /** For how long of this calls waited for the user's approval, in milliseconds; omitted: not at all. */
  waited: amount,
});
export type AnswerMetadata = z.infer<typeof answerMetadata>;

/** A draft also names the node its answer follows, so that a restart puts it in the right place. */
export const draftMetadata = answerMetadata.extend({ afterId: z.string() });
export type DraftMetadata = z.infer<typeof draftMetadata>;

/** Reads the metadata of an answer; undefined for messages that no run wrote. */
export function answerMetadataOf(message: Pick<UIMessage, 'metadata'>): AnswerMetadata | undefined {
  return answerMetadata.safeParse(message.metadata).data;
}
