import { findModelFacts, type ModelFacts } from './modelPrices.ts';

/** The tokens of one request and its answer. */
export interface AnswerTokens {
  readonly modelId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * What an answer cost by the provider's list price, in US dollars; undefined when the price is not known. What
 * providers add or take off, for instance for cached input, is not counted.
 */
export function answerCost({ modelId, inputTokens, outputTokens }: AnswerTokens): number | undefined {
  const { facts } = findModel(modelId);
  if (!facts) return undefined;
  const { input, output } = facts.long && inputTokens > facts.long.above ? facts.long : facts;
  return (inputTokens * input + outputTokens * output) / 1_000_000;
}

/**
 * `provider:model` and `provider/model` name their provider, and another provider's price for a model of that name does
 * not hold there (one that runs on this machine costs nothing). `model` alone is whoever's has that name.
 */
export function findModel(modelId: string): { provider: string | undefined; facts: ModelFacts | undefined } {
  const id = modelId.trim();
  const separator = id.search(/[:/]/);
  if (separator <= 0) {
    const facts = findModelFacts(id);
    return { provider: facts?.provider, facts };
  }
  const provider = id.slice(0, separator).toLowerCase();
  return { provider, facts: findModelFacts(id.slice(separator + 1), provider) };
}
