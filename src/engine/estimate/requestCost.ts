import type { RequestPrices, TokenPrices } from './modelPrices.ts';

/** The tokens of one request and its answer. */
export interface RequestTokens {
  readonly inputTokens: number;
  /** Includes reasoning tokens. */
  readonly outputTokens: number;
  /** Input tokens read from a cache. */
  readonly cachedTokens?: number | undefined;
  /** Input tokens written to a cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** Output tokens used for reasoning. */
  readonly reasoningTokens?: number | undefined;
}

/** In US dollars. */
export function requestCost(
  prices: RequestPrices,
  { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: RequestTokens,
): number {
  const price = pricesFor(prices, inputTokens);
  const { input, output, reasoning = output, cachedInput = input, cacheWrite = input } = price;
  // Ignores cached tokens that exceed the input; likewise for reasoning tokens.
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

export function pricesFor(prices: RequestPrices, inputTokens: number): TokenPrices {
  return prices.tiers?.findLast(({ above }) => inputTokens > above) ?? prices;
}
