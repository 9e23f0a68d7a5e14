import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { MessageView } from '../../protocol/views.ts';
import { describeStep } from '../branches/describeStep.ts';
import { readTurns, withTurn, type PartOfPath } from './turns.ts';

/** Adds to messages what each step changed, and the totals of turns with several steps. */
export async function withLongRuns(
  store: Pick<ReadonlyStore, 'getPath'>,
  part: PartOfPath,
  views: readonly MessageView[],
): Promise<MessageView[]> {
  const turns = await readTurns(store, part);
  const messages = new Map(part.path.map((message) => [message.id, message]));
  return views.map((view) => {
    const message = messages.get(view.id);
    const step = message && describeStep(message)?.changes;
    return withTurn(step === undefined ? view : { ...view, step }, turns);
  });
}
