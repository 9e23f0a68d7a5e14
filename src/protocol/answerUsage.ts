import { z } from 'zod';

/** The tokens and cost of answers, in US dollars by the list price; without a cost where it is not known. */
export const usageView = z.object({
  inputTokens: z.number(),
  /** Input tokens read from a cache. */
  cachedTokens: z.number().optional(),
  outputTokens: z.number(),
  /** Output tokens used for reasoning. */
  reasoningTokens: z.number().optional(),
  cost: z.number().optional(),
});
export type UsageView = z.infer<typeof usageView>;
