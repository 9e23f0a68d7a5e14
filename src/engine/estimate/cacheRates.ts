import type { ModelFacts } from './modelPrices.ts';

/** What input from a cache costs, as a part of the price of input that is read anew. */
export interface CacheRates {
  readonly read: number;
  /** Of input that is kept for the next request. */
  readonly write: number;
}

/**
 * The providers' list prices as of November 2026, which are the same part for all models of a family:
 * - Anthropic: https://platform.claude.com/docs/en/build-with-claude/prompt-caching (kept for five minutes)
 * - OpenAI: https://developers.openai.com/api/docs/pricing
 * - Google: https://ai.google.dev/gemini-api/docs/pricing
 * - Groq: https://console.groq.com/docs/prompt-caching
 */
export function cacheRates({ provider }: Pick<ModelFacts, 'provider'>, model: string): CacheRates {
  switch (provider) {
    case 'anthropic':
      return { read: 0.1, write: 1.25 };
    case 'openai':
      return { read: openAiRead(model), write: 1 };
    case 'google':
      return { read: 0.1, write: 1 };
    case 'groq':
      return { read: 0.5, write: 1 };
  }
}

function openAiRead(model: string): number {
  if (/gpt-[5-9](?!\d)/u.test(model)) return 0.1;
  return /gpt-4\.1|\bo3(?!-mini|-pro)|\bo4-mini/u.test(model) ? 0.25 : 0.5;
}
