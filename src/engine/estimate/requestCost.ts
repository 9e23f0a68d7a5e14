import type { RequestPrices, TokenPrices } from './modelPrices.ts';

/** The tokens of one request and its answer. */
export interface RequestTokens {
  readonly inputTokens: number;
  /** With what the model thought. */
  readonly outputTokens: number;
  /** Those of the input that came from a cache. */
  readonly cachedTokens?: number | undefined;
  /** Those of the input that were put into one. */
  readonly cacheWriteTokens?: number | undefined;
  /** Those of the output that the model thought. */
  readonly reasoningTokens?: number | undefined;
}

/** What one request cost by these prices, in US dollars. */
export function requestCost(
  prices: RequestPrices,
  { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: RequestTokens,
): number {
  const price = pricesFor(prices, inputTokens);
  const { input, output, reasoning = output, cachedInput = input, cacheWrite = input } = price;
  // A server that counts more from its cache than there was is not paid for it; the same of what was thought.
  const cached = Math.min(cachedTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - cached);
  const thought = Math.min(reasoningTokens, outputTokens);
  const cost =
    (inputTokens - cached - written) * input +
    cached * cachedInput +
    written * cacheWrite +
    (outputTokens - thought) * output +
    thought * reasoning;
  return cost / 1_000_000;
}

/** The prices of a request with that much input. */
export function pricesFor(prices: RequestPrices, inputTokens: number): TokenPrices {
  return prices.tiers?.findLast(({ above }) => inputTokens > above) ?? prices;
}
