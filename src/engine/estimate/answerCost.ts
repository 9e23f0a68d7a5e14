import { findModel } from './modelPrices.ts';
import { requestCost, type RequestTokens } from './requestCost.ts';

/** The tokens of one request to a model. */
export interface AnswerTokens extends RequestTokens {
  readonly modelId: string;
}

/**
 * The cost of an answer by the provider's list price, in US dollars; undefined when the price is not known. Compute
 * each request separately: prices may depend on the length of a request.
 */
export function answerCost({ modelId, ...tokens }: AnswerTokens): number | undefined {
  const { facts } = findModel(modelId);
  return facts && requestCost(facts, tokens);
}
