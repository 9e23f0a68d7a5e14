/** What a model costs and holds. Prices are in US dollars per million tokens, limits in tokens. */
export interface ModelFacts {
  readonly provider: Provider;
  readonly input: number;
  readonly output: number;
  /** Left out where the provider does not say. */
  readonly limits?: ModelLimits;
  /** The prices of a request with more input than `above`. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number };
}

/** How much a model takes in and gives out, in tokens. */
export interface ModelLimits {
  /** Input and output together. */
  readonly context: number;
  readonly output?: number;
}

export const providers = ['openai', 'anthropic', 'google', 'groq'] as const;

/** Who offers a model. */
export type Provider = (typeof providers)[number];

type Row = readonly [
  id: string,
  input: number,
  output: number,
  context?: number,
  maxOutput?: number,
  longAbove?: number,
];

/**
 * The providers' list prices for text, without discounts for caches or batches, as of October 2026:
 * - OpenAI: https://developers.openai.com/api/docs/pricing (read 2026-10-03; gpt-6.1-terra 2026-10-26). More than
 *   272,000 tokens of input cost twice as much, and their output half as much again.
 * - Anthropic: https://platform.claude.com/docs/en/about-claude/pricing (2026-10-03; claude-haiku-5-5 2026-10-07)
 * - Google: https://ai.google.dev/gemini-api/docs/pricing (2026-10-03). gemini-3.6 to 3.8-flash are at half the price
 *   here until the end of 2026. More than 200,000 tokens of input to a Pro model cost twice as much, their output half
 *   as much again.
 * - Groq: https://console.groq.com/docs/models (2026-10-03)
 * Limits: the providers' pages on each model, and https://models.dev.
 */
const tables: Readonly<Record<Provider, readonly Row[]>> = {
  openai: [
    ['gpt-6.1-sol', 2, 10],
    ['gpt-6.1-terra', 1, 5],
    ['gpt-6-astra', 10, 50, 1_050_000, 128_000, 272_000],
    ['gpt-6-sol', 2, 10, 1_050_000, 128_000, 272_000],
    ['gpt-6-luna', 0.1, 0.5, 1_050_000, 128_000, 272_000],
    ['gpt-5.6-sol', 4, 20, 1_050_000, 128_000, 272_000],
    ['gpt-5.6-terra', 2, 12, 1_050_000, 128_000, 272_000],
    ['gpt-5.6-luna', 0.2, 1.2, 1_050_000, 128_000, 272_000],
    ['gpt-5.5', 5, 30, 1_050_000, 128_000, 272_000],
    ['gpt-5.5-pro', 30, 180, 1_050_000, 128_000, 272_000],
    ['gpt-5.4', 2.5, 15, 1_050_000, 128_000, 272_000],
    ['gpt-5.4-pro', 30, 180, 1_050_000, 128_000, 272_000],
    ['gpt-5.4-mini', 0.75, 4.5, 400_000, 128_000],
    ['gpt-5.4-nano', 0.2, 1.25, 400_000, 128_000],
    ['gpt-5.3-codex', 1.75, 14, 400_000, 128_000],
    ['gpt-5.2', 1.75, 14, 400_000, 128_000],
    ['gpt-5.2-pro', 21, 168, 400_000, 128_000],
    ['gpt-5.1', 1.25, 10, 400_000, 128_000],
    ['gpt-5', 1.25, 10, 400_000, 128_000],
    ['gpt-5-mini', 0.25, 2, 400_000, 128_000],
    ['gpt-5-nano', 0.05, 0.4, 400_000, 128_000],
    ['gpt-5-pro', 15, 120, 400_000, 272_000],
    ['gpt-4.1', 2, 8, 1_047_576, 32_768],
    ['gpt-4.1-mini', 0.4, 1.6, 1_047_576, 32_768],
    ['gpt-4.1-nano', 0.1, 0.4, 1_047_576, 32_768],
    ['gpt-4o', 2.5, 10, 128_000, 16_384],
    ['gpt-4o-mini', 0.15, 0.6, 128_000, 16_384],
    ['gpt-3.5-turbo', 0.5, 1.5, 16_385, 4_096],
    ['o4-mini', 1.1, 4.4, 200_000, 100_000],
    ['o3', 2, 8, 200_000, 100_000],
    ['o3-pro', 20, 80, 200_000, 100_000],
    ['o3-mini', 1.1, 4.4, 200_000, 100_000],
    ['o1', 15, 60, 200_000, 100_000],
    ['o1-pro', 150, 600, 200_000, 100_000],
  ],
  anthropic: [
    ['claude-fable-5-1', 10, 50, 1_000_000],
    ['claude-fable-5', 10, 50, 1_000_000],
    ['claude-opus-5-5', 4, 20, 1_000_000],
    ['claude-opus-5', 5, 25, 1_000_000],
    ['claude-opus-4-8', 5, 25, 1_000_000],
    ['claude-opus-4-7', 5, 25, 1_000_000],
    ['claude-opus-4-6', 5, 25, 1_000_000, 128_000],
    ['claude-opus-4-5', 5, 25, 200_000, 64_000],
    ['claude-opus-4-1', 15, 75, 200_000, 32_000],
    ['claude-opus-4', 15, 75, 200_000, 32_000],
    ['claude-sonnet-5-5', 2, 10, 1_000_000],
    ['claude-sonnet-5', 2, 10, 1_000_000],
    ['claude-sonnet-4-6', 3, 15, 1_000_000, 64_000],
    ['claude-sonnet-4-5', 3, 15, 200_000, 64_000],
    ['claude-sonnet-4', 3, 15, 200_000, 64_000],
    ['claude-haiku-5-5', 0.1, 0.5, 1_000_000, 128_000],
    ['claude-haiku-4-5', 1, 5, 200_000, 64_000],
    ['claude-3-5-haiku', 0.8, 4, 200_000, 8_192],
  ],
  google: [
    ['gemini-3.8-flash', 1.5, 7.5, 1_048_576, 65_536],
    ['gemini-3.7-flash', 1.5, 7.5, 1_048_576, 65_536],
    ['gemini-3.6-flash', 1.5, 7.5, 1_048_576, 65_536],
    ['gemini-3.5-flash', 1.5, 9, 1_048_576, 65_536],
    ['gemini-3.5-flash-lite', 0.3, 2.5, 1_048_576, 65_536],
    ['gemini-3.1-pro-preview', 2, 12, 1_048_576, 65_536, 200_000],
    ['gemini-3.1-flash-lite', 0.25, 1.5, 1_048_576, 65_536],
    ['gemini-3-flash-preview', 0.5, 3, 1_048_576, 65_536],
    ['gemini-2.5-pro', 1.25, 10, 1_048_576, 65_536, 200_000],
    ['gemini-2.5-flash', 0.3, 2.5, 1_048_576, 65_536],
    ['gemini-2.5-flash-lite', 0.1, 0.4, 1_048_576, 65_536],
  ],
  groq: [
    ['gpt-oss-120b', 0.15, 0.6, 131_072, 65_536],
    ['gpt-oss-20b', 0.075, 0.3, 131_072, 65_536],
    ['qwen3.8-27b', 0.8, 4, 131_042, 16_384],
  ],
};

const facts = new Map(
  providers.map((provider) => [
    provider,
    new Map(tables[provider].map((row) => [plainName(row[0]), modelFacts(provider, row)])),
  ]),
);

/**
 * The prices of a model at a provider, or (when no provider is given) at the one that has a model of that name.
 * @param model as `gpt-4o`; a date (`gpt-4o-2024-08-06`), `-latest` or a maker before it (`openai/gpt-oss-20b`) is fine
 */
export function findModelFacts(model: string, provider?: string): ModelFacts | undefined {
  const name = plainName(model.slice(model.lastIndexOf('/') + 1));
  for (const [known, models] of facts) {
    const found = provider === undefined || provider === known ? models.get(name) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** `Claude-Sonnet-4.5-20250929` → `claude-sonnet-4-5` */
function plainName(model: string): string {
  return model
    .toLowerCase()
    .replaceAll('.', '-')
    .replace(/(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/, '');
}

function modelFacts(provider: Provider, [, input, output, context, maxOutput, longAbove]: Row): ModelFacts {
  return {
    provider,
    input,
    output,
    ...(context !== undefined && {
      limits: maxOutput === undefined ? { context } : { context, output: maxOutput },
    }),
    ...(longAbove !== undefined && { long: { above: longAbove, input: input * 2, output: output * 1.5 } }),
  };
}
