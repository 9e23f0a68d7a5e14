import type { AnswerMetadata } from './answerMetadata.ts';

type Counted = NonNullable<AnswerMetadata['usage']>;

/** Tokens of several requests together; what no server counted stays unknown. */
export class Usage {
  #sum: Counted | undefined;

  get sum(): Counted | undefined {
    return this.#sum;
  }

  add(usage: Counted | undefined): void {
    if (usage === undefined) return;
    const inputTokens = plus(this.#sum?.inputTokens, usage.inputTokens);
    const outputTokens = plus(this.#sum?.outputTokens, usage.outputTokens);
    this.#sum = {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
  }
}

function plus(sum: number | undefined, added: number | undefined): number | undefined {
  return added === undefined ? sum : (sum ?? 0) + added;
}
