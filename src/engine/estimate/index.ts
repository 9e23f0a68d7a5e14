export { answerCost, type AnswerTokens } from './answerCost.ts';
export * from './estimate.ts';
export {
  findModelFacts,
  pricesDate,
  type LongPrices,
  type ModelFacts,
  type ModelLimits,
  type Provider,
  type RequestPrices,
  type TokenPrices,
} from './modelPrices.ts';
export type { RequestTokens } from './requestCost.ts';
