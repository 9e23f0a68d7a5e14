import { requestCost } from '../engine/estimate/requestCost.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { ChatModel } from './chatModel.ts';
import { pricesOf } from './listPrices.ts';

type Counted = NonNullable<AnswerMetadata['usage']>;
type PricedModel = Pick<ChatModel, 'listed' | 'price'>;

const names = [
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
      names.flatMap((name) => {
        const sum = addCount(before?.[name], usage[name]);
        return sum === undefined ? [] : [[name, sum]];
      }),
    );
    this.currentCost = addCount(this.currentCost, usageCost(usage, this.model));
  }
}

/** What several answers took together; what nobody counted is left out. */
export function sumUsage(answers: readonly Pick<AnswerMetadata, 'usage' | 'cost'>[]): {
  readonly usage?: Counted;
  readonly cost?: number;
} {
  const counted = names.flatMap((name) => {
    const sum = answers.reduce<number | undefined>((so, { usage }) => addCount(so, usage?.[name]), undefined);
    return sum === undefined ? [] : [[name, sum] as const];
  });
  const cost = answers.reduce<number | undefined>((so, answer) => addCount(so, answer.cost), undefined);
  return {
    ...(counted.length === 0 ? {} : { usage: Object.fromEntries(counted) }),
    ...(cost === undefined ? {} : { cost }),
  };
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
