import { addCount } from '../../agent/run/runUsage.ts';
import type { AnswerMetadata } from '../../agent/run/answerMetadata.ts';
import { tasksIn } from '../../agent/explore/taskProgress.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import type { UsageView } from '../../protocol/views.ts';

export function usageView({ usage = {}, cost }: Pick<AnswerMetadata, 'usage' | 'cost'>): UsageView {
  const { inputTokens = 0, outputTokens = 0, cachedTokens, reasoningTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}

/** What an answer used, including the exploration for it. */
export function turnUsage(
  answer: Pick<AnswerMetadata, 'usage' | 'cost'>,
  message: Pick<UIMessage, 'parts'>,
): UsageView | undefined {
  return tasksIn(message).reduce(addUsage, addUsage(undefined, answer));
}

/** Undefined while no usage is known for any of them. */
export function addUsage(
  sum: UsageView | undefined,
  answer: Pick<AnswerMetadata, 'usage' | 'cost'>,
): UsageView | undefined {
  if (!answer.usage) return sum;
  const added = usageView(answer);
  if (!sum) return added;
  const cachedTokens = addCount(sum.cachedTokens, added.cachedTokens);
  const reasoningTokens = addCount(sum.reasoningTokens, added.reasoningTokens);
  const cost = addCount(sum.cost, added.cost);
  return {
    inputTokens: sum.inputTokens + added.inputTokens,
    outputTokens: sum.outputTokens + added.outputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}
