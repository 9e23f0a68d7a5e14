import { answerCost } from '../engine/estimate/answerCost.ts';
import type { AnswerMetadata } from './answerMetadata.ts';

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

  constructor(private readonly modelId: string) {}

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
    const { inputTokens = 0, outputTokens = 0, cachedTokens, cacheWriteTokens } = usage;
    const cost = answerCost({
      modelId: this.modelId,
      inputTokens,
      outputTokens,
      ...(cachedTokens === undefined ? {} : { cachedTokens }),
      ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    });
    this.#cost = plus(this.#cost, cost);
  }
}

function plus(sum: number | undefined, added: number | undefined): number | undefined {
  return added === undefined ? sum : (sum ?? 0) + added;
}
