import { requestCost } from '../../engine/estimate/requestCost.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import { pricesOf, type ChatModel } from '../../models/chatModel.ts';

export type Counted = NonNullable<AnswerMetadata['usage']>;
type PricedModel = Pick<ChatModel, 'listed' | 'price'>;

export const usageNames = [
  'inputTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof Counted)[];

/** Each request is priced separately: the surcharge for a long one depends on its own length. */
export class Usage {
  private currentSum: Counted | undefined;
  private currentCost: number | undefined;

  constructor(private readonly model: PricedModel) {}

  get sum(): Counted | undefined {
    return this.currentSum;
  }

  /** In US dollars; undefined if a price is unknown. */
  get cost(): number | undefined {
    return this.currentCost;
  }

  /** @param cost as the server says it; undefined: by the known prices */
  add(usage: Counted | undefined, cost?: number): void {
    if (usage === undefined) {
      this.currentCost = addCount(this.currentCost, cost);
      return;
    }
    const before = this.currentSum;
    this.currentSum = Object.fromEntries(
      usageNames.flatMap((name) => {
        const sum = addCount(before?.[name], usage[name]);
        return sum === undefined ? [] : [[name, sum]];
      }),
    );
    this.currentCost = addCount(this.currentCost, cost ?? usageCost(usage, this.model));
  }
}

/** The cost of one request with this model, in US dollars; undefined if no price is known. */
export function usageCost(usage: Counted, model: PricedModel): number | undefined {
  const { inputTokens = 0, outputTokens = 0, ...details } = usage;
  const prices = pricesOf(model);
  return prices && requestCost(prices, { ...details, inputTokens, outputTokens });
}

/** An uncounted value stays unknown and is not treated as zero. */
export function addCount(sum: number | undefined, added: number | undefined): number | undefined {
  return added === undefined ? sum : (sum ?? 0) + added;
}

/** The total usage of several answers; uncounted values are omitted. */
export function sumUsage(answers: readonly Pick<AnswerMetadata, 'usage' | 'cost'>[]): {
  readonly usage?: Counted;
  readonly cost?: number;
} {
  const counted = usageNames.flatMap((name) => {
    const sum = answers.reduce<number | undefined>((so, { usage }) => addCount(so, usage?.[name]), undefined);
    return sum === undefined ? [] : [[name, sum] as const];
  });
  const cost = answers.reduce<number | undefined>((so, answer) => addCount(so, answer.cost), undefined);
  return {
    ...(counted.length === 0 ? {} : { usage: Object.fromEntries(counted) }),
    ...(cost === undefined ? {} : { cost }),
  };
}
