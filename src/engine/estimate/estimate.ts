import type { ModelLimits } from './modelPrices.ts';
import { pricesFor } from './requestCost.ts';

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

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/**
 * How long a run of characters without (or of only) white space may be before it is counted in pieces. Merging byte
 * pairs takes time quadratic in the length of such a run: 100,000 times the same letter would take seconds.
 */
const longRun = /\S{256}(?=\S)|\s{256}(?=\s)/gu;

let loading: Promise<CountTokens> | undefined;

/**
 * The tokenizer `o200k_base` of OpenAI's models since gpt-4o, loaded on first use (2 MB) and cached, because it never
 * changes. Other makers do not publish theirs; for their models the count is approximate.
 */
export async function loadTokenizer(): Promise<CountTokens> {
  loading ??= load().catch((error: unknown) => {
    // In a browser it is fetched: the next attempt may succeed.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // `<|endoftext|>` in a message is ordinary text and no reason to reject it.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let [tokens, from] = [0, 0];
    for (const { 0: run, index } of text.matchAll(longRun)) {
      tokens += countTokens(text.slice(from, index + run.length), options);
      from = index + run.length;
    }
    return tokens + countTokens(text.slice(from), options);
  };
}
