import { answerMetadataOf } from '../../agent/run/answerMetadata.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { UsageView } from '../../protocol/views.ts';
import { addUsage } from './usageView.ts';

/** What all answers to one question used together. */
export interface TurnTotals {
  /** In milliseconds. */
  readonly duration: number;
  /** Left out while no usage is known for any of them. */
  readonly usage?: UsageView;
}

export function turnTotals(turn: readonly Pick<MessageData, 'data'>[]): TurnTotals {
  const answers = turn.flatMap(({ data }) => {
    const read = readUIMessage(data);
    return (read && answerMetadataOf(read)) ?? [];
  });
  const usage = answers.reduce<UsageView | undefined>(addUsage, undefined);
  return {
    duration: answers.reduce((sum, { startedAt, finishedAt }) => sum + finishedAt - startedAt, 0),
    ...(usage ? { usage } : {}),
  };
}
