import { compactionOf } from '../../engine/sentPath.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/userTurn.ts';

/** The smallest piece to cover or keep: no call is separated from its result. */
export interface CompactionUnit {
  /** The message, or a step of it. */
  readonly message: UIMessage;
  /** Where it begins in its message: earlier parts belong to other units. */
  readonly from: number;
  readonly kind: 'question' | 'summary' | 'other';
}

/**
 * What is sent, in pieces that stay whole. Stored messages are never cut; the answer that is being written may be cut
 * between its steps, and then becomes two messages.
 * @param draftId the message that is being written
 */
export function compactionUnits(sent: readonly UIMessage[], draftId: string): CompactionUnit[] {
  return sent.flatMap((message): CompactionUnit[] => {
    if (message.id === draftId) return stepsOf(message);
    const kind = compactionOf(message) ? 'summary' : isUserTurn(message) ? 'question' : 'other';
    return [{ message, from: 0, kind }];
  });
}

function stepsOf(message: UIMessage): CompactionUnit[] {
  const starts = message.parts.flatMap(({ type }, index) =>
    index === 0 || type === 'step-start' ? [index] : [],
  );
  return starts.map((from, step) => ({
    message: { ...message, parts: message.parts.slice(from, starts[step + 1]) },
    from,
    kind: 'other',
  }));
}
