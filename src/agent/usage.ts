import { answerCost } from '../engine/estimate/answerCost.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { ChatModel } from './chatModel.ts';

type Counted = NonNullable<AnswerMetadata['usage']>;

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
  #sum: Counted | undefined;
  #cost: number | undefined;

  constructor(private readonly model: Pick<ChatModel, 'id' | 'price'>) {}

  get sum(): Counted | undefined {
    return this.#sum;
  }

  /** In US dollars; undefined where no price is known. */
  get cost(): number | undefined {
    return this.#cost;
  }

  add(usage: Counted | undefined): void {
    if (usage === undefined) return;
    const before = this.#sum;
    this.#sum = Object.fromEntries(
      names.flatMap((name) => {
        const sum = plus(before?.[name], usage[name]);
        return sum === undefined ? [] : [[name, sum]];
      }),
    );
    this.#cost = plus(this.#cost, costOf(usage, this.model));
  }
}

function costOf(usage: Counted, { id, price }: Pick<ChatModel, 'id' | 'price'>): number | undefined {
  const { inputTokens = 0, outputTokens = 0, cachedTokens, cacheWriteTokens } = usage;
  if (price) return (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  return answerCost({
    modelId: id,
    inputTokens,
    outputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
  });
}

function plus(sum: number | undefined, added: number | undefined): number | undefined {
  return added === undefined ? sum : (sum ?? 0) + added;
}
