import { activeCheckpoints } from '../cycle/agentCheckpoint.ts';
import type { PathSummary } from '../../engine/pathSummary.ts';
import { isNoticeMessage } from '../../engine/pathSummary.ts';
import { compactionInForce, compactionOf } from '../../engine/sentPath.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import type { CompactionPlan } from './planCompaction.ts';

/** What a summary stands for, by the messages of the path. */
export interface CoveredMessages {
  readonly source: Pick<PathSummary['source'], 'from' | 'to' | 'count' | 'kept'>;
  readonly checkpoints: NonNullable<PathSummary['checkpoints']>;
}

/**
 * Puts a plan in terms of the path. What an earlier summary stood for is covered by the later one, and what it had kept
 * is kept on only where the plan leaves it.
 * @param path the whole of it, with the message that is being written
 * @param draftId that message: what the plan leaves of it becomes a message of its own
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
