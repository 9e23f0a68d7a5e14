import { cacheRates } from './cacheRates.ts';
import { findModelFacts, type ModelFacts } from './modelPrices.ts';

/** The tokens of one request and its answer. */
export interface AnswerTokens {
  readonly modelId: string;
  readonly inputTokens: number;
  /** With what the model thought. */
  readonly outputTokens: number;
  /** Those of the input that came from a cache. */
  readonly cachedTokens?: number;
  /** Those of the input that were put into one. */
  readonly cacheWriteTokens?: number;
}

/**
 * What an answer cost by the provider's list price, in US dollars; undefined when the price is not known. Of several
 * requests each costs for itself: prices may depend on the length of one.
 */
export function answerCost({
  modelId,
  inputTokens,
  outputTokens,
  cachedTokens = 0,
  cacheWriteTokens = 0,
}: AnswerTokens): number | undefined {
  const { facts } = findModel(modelId);
  if (!facts) return undefined;
  const { input, output } = facts.long && inputTokens > facts.long.above ? facts.long : facts;
  const { read, write } = cacheRates(facts, modelId);
  // A server that counts more from its cache than there was is not paid for it.
  const cached = Math.min(cachedTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - cached);
  const paid = inputTokens - cached - written + cached * read + written * write;
  return (paid * input + outputTokens * output) / 1_000_000;
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
