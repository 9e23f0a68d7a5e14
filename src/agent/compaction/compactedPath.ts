import { activeCheckpoints } from '../cycle/agentCheckpoint.ts';
import type { PathSummary } from '../../engine/pathSummary.ts';
import { isNoticeMessage } from '../../engine/pathSummary.ts';
import { compactionInForce, compactionOf } from '../../engine/sentPath.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import type { CompactionPlan } from './planCompaction.ts';

/** The messages of the path that a summary replaces. */
export interface CoveredMessages {
  readonly source: Pick<PathSummary['source'], 'from' | 'to' | 'count' | 'kept'>;
  readonly checkpoints: NonNullable<PathSummary['checkpoints']>;
}

/**
 * Translates a plan into messages of the path. The new summary covers what an earlier one stood for; what the earlier
 * one kept stays only if the plan keeps it.
 * @param path the whole path, with the message that is being written
 * @param draftId the message that is being written; what the plan leaves of it becomes a separate message
 */
export function coveredMessages(
  path: readonly UIMessage[],
  plan: CompactionPlan,
  draftId: string,
): CoveredMessages {
  const places = new Map(path.map(({ id }, index) => [id, index]));
  const placeOf = (id: string): number => places.get(id) ?? -1;
  const earlier = compactionInForce(path.map((each) => ({ id: each.id, compaction: compactionOf(each) })));
  const ends = plan.before.map(({ message, kind }) =>
    kind === 'summary' ? (earlier?.toIndex ?? -1) : placeOf(message.id),
  );
  const end = Math.max(...ends);
  const kept = [...plan.kept, ...plan.after]
    .map(({ message }) => message.id)
    .filter((id) => id !== draftId && placeOf(id) <= end);
  const texts = path
    .slice(0, end + 1)
    .filter((message) => !isNoticeMessage(message) && !kept.includes(message.id));
  return {
    source: {
      from: path[0]?.id ?? '',
      to: path[end]?.id ?? '',
      count: texts.length,
      ...(kept.length === 0 ? {} : { kept }),
    },
    checkpoints: activeCheckpoints(path)
      .filter(({ messageId }) => placeOf(messageId) <= end)
      .map(({ goal, name }) => ({ goal, ...(name === undefined ? {} : { name }) })),
  };
}
