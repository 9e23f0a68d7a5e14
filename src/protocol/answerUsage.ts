import { z } from 'zod';

/** What answers took, in tokens, and cost, in US dollars by the list price; without a cost where it is not known. */
export const usageView = z.object({
  inputTokens: z.number(),
  /** Those of the input that came from a cache. */
  cachedTokens: z.number().optional(),
  outputTokens: z.number(),
  /** Those of the output that the model thought. */
  reasoningTokens: z.number().optional(),
  cost: z.number().optional(),
});
export type UsageView = z.infer<typeof usageView>;
