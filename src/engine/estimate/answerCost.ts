import { findModel } from './modelPrices.ts';
import { requestCost, type RequestTokens } from './requestCost.ts';

/** The tokens of one request to a model. */
export interface AnswerTokens extends RequestTokens {
  readonly modelId: string;
}

/**
 * What an answer cost by the provider's list price, in US dollars; undefined when the price is not known. Of several
 * requests each costs for itself: prices may depend on the length of one.
 */
export function answerCost({ modelId, ...tokens }: AnswerTokens): number | undefined {
  const { facts } = findModel(modelId);
  return facts && requestCost(facts, tokens);
}
