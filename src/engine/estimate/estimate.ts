import type { ModelLimits } from './modelPrices.ts';
import { pricesFor } from './requestCost.ts';
import { loadTokenizer } from './tokenizer.ts';

/** Part of what a model would be sent. */
export interface EstimatePart {
  readonly id?: string;
  /** What it is: the name of a fragment, or `user`, `assistant`, … */
  readonly name: string;
  readonly text: string;
}

/** What to count, and for which model. */
export interface EstimateInput {
  /** `openai:gpt-4o`, `groq:gpt-oss-20b`, `anthropic/claude-opus-5-5`, `gpt-4o`. */
  readonly modelId: string;
  readonly parts: readonly EstimatePart[];
}

/** The share of one part in an estimate. */
export interface FragmentEstimate {
  readonly id?: string;
  readonly name: string;
  readonly tokens: number;
  /** In US dollars. */
  readonly cost?: number;
}

/** The tokens and cost of sending some text to a model. Plain data: it can be written to JSON. */
export interface Estimate {
  readonly modelId: string;
  readonly provider?: string;
  readonly tokens: number;
  /** For this input, in US dollars; left out when the model's price is not known. */
  readonly cost?: number;
  /** In tokens; left out when they are not known. */
  readonly limits?: ModelLimits;
  /** Whether the input exceeds the model's context; left out when the limit is not known. */
  readonly exceedsContext?: boolean;
  /** One for each part, in the same order. */
  readonly fragments: readonly FragmentEstimate[];
}

/**
 * Counts the tokens and the cost of what a model would be sent, without the network. Exact for the texts of OpenAI's
 * models since gpt-4o, approximate for others; what a provider adds around messages is not counted. An unknown model
 * has an estimate without cost.
 * @example
 * await estimate({ modelId: 'openai:gpt-4o', parts: [{ name: 'user', text: 'Hello!' }] });
 * // { modelId: 'openai:gpt-4o', provider: 'openai', tokens: 2, cost: 0.000005, … }
 */
export async function estimate({ modelId, parts }: EstimateInput): Promise<Estimate> {
  // The price table is large, and not every engine estimates.
  const { findModel } = await import('./modelPrices.ts');
  const { provider, facts } = findModel(modelId);
  const countTokens = await loadTokenizer();
  const counts = parts.map(({ text }) => countTokens(text));
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  const price = facts && pricesFor(facts, tokens).input;
  const costOf = (count: number): { cost?: number } =>
    price === undefined ? {} : { cost: (count * price) / 1_000_000 };
  return {
    modelId,
    ...(provider !== undefined && { provider }),
    tokens,
    ...costOf(tokens),
    ...(facts?.limits && { limits: facts.limits, exceedsContext: tokens > facts.limits.context }),
    fragments: parts.map(({ id, name }, index) => {
      const count = counts[index] ?? 0;
      return { ...(id !== undefined && { id }), name, tokens: count, ...costOf(count) };
    }),
  };
}
