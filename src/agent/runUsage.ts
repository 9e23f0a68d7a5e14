import { requestCost } from '../engine/estimate/requestCost.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { ChatModel } from './chatModel.ts';
import { pricesOf } from './listPrices.ts';

export type Counted = NonNullable<AnswerMetadata['usage']>;
type PricedModel = Pick<ChatModel, 'listed' | 'price'>;

export const usageNames = [
  'inputTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof Counted)[];

/**
 * Tokens and costs of several requests together; what no server counted stays unknown. Each request has its own price:
 * what a long one costs more is decided by its own length.
 */
export class Usage {
  private currentSum: Counted | undefined;
  private currentCost: number | undefined;

  constructor(private readonly model: PricedModel) {}

  get sum(): Counted | undefined {
    return this.currentSum;
  }

  /** In US dollars; undefined where no price is known. */
  get cost(): number | undefined {
    return this.currentCost;
  }

  add(usage: Counted | undefined): void {
    if (usage === undefined) return;
    const before = this.currentSum;
    this.currentSum = Object.fromEntries(
      usageNames.flatMap((name) => {
        const sum = addCount(before?.[name], usage[name]);
        return sum === undefined ? [] : [[name, sum]];
      }),
    );
    this.currentCost = addCount(this.currentCost, usageCost(usage, this.model));
  }
}

/** What one request costs with this model, in US dollars; undefined where no price is known. */
export function usageCost(usage: Counted, model: PricedModel): number | undefined {
  const { inputTokens = 0, outputTokens = 0, ...details } = usage;
  const prices = pricesOf(model);
  return prices && requestCost(prices, { ...details, inputTokens, outputTokens });
}

/** What nobody counted stays unknown, and does not count as nothing. */
export function addCount(sum: number | undefined, added: number | undefined): number | undefined {
  return added === undefined ? sum : (sum ?? 0) + added;
}
