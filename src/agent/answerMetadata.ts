import { z } from 'zod';
import type { UIMessage } from '../engine/uiMessage.ts';
import { toldSchema } from './told.ts';

/**
 * How an answer came about; the `metadata` of every assistant message a run saves.
 * `interrupted`: stopped by the person, a restart or the model's limit of output. `failed`: an error ended it.
 */
export const answerMetadata = z.object({
  modelId: z.string(),
  modelLabel: z.string(),
  isDemo: z.boolean(),
  /** The one it was asked for with, where it was asked for with one. */
  temperature: z.number().optional(),
  status: z.enum(['complete', 'interrupted', 'failed']),
  /** It tells the person what to do. */
  error: toldSchema.optional(),
  /** Something the person should know of an answer that did not go wrong. `step-limit`: it can be continued. */
  notice: toldSchema.optional(),
  /** In tokens, as the model's server counted them. */
  usage: z.object({ inputTokens: z.number().optional(), outputTokens: z.number().optional() }).optional(),
  /** In US dollars, by the list price of that day; absent where the price is not known. */
  cost: z.number().optional(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  finishedAt: z.number(),
});
export type AnswerMetadata = z.infer<typeof answerMetadata>;

/** A draft also says which node its answer follows, so that a restart puts it where it belongs. */
export const draftMetadata = answerMetadata.extend({ afterId: z.string() });
export type DraftMetadata = z.infer<typeof draftMetadata>;

/** Reads how an answer came about; undefined for messages that no run wrote. */
export function answerMetadataOf(message: Pick<UIMessage, 'metadata'>): AnswerMetadata | undefined {
  return answerMetadata.safeParse(message.metadata).data;
}
