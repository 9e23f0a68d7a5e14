import type { AnswerMetadata } from '../answerMetadata.ts';
import { addCount, usageNames, type Counted } from '../runUsage.ts';

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
