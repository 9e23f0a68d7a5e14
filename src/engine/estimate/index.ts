export { answerCost, type AnswerTokens } from './answerCost.ts';
export * from './estimate.ts';
export { findModelFacts, type ModelFacts, type ModelLimits, type Provider } from './modelPrices.ts';
export { loadTokenizer, type CountTokens } from './tokenizer.ts';
