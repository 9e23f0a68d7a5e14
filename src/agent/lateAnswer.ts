import type { MessageEffects } from '../engine/effects.ts';
import type { ContextStore } from '../engine/store.ts';
import type { UIMessage } from '../engine/uiMessage.ts';
import { storable } from '../engine/storable.ts';

export interface LateAnswer {
  readonly store: ContextStore;
  readonly chatId: string;
  /** Where the question was asked. */
  readonly branch: string;
  /** The node it follows. */
  readonly afterId: string;
  readonly message: UIMessage;
  /** What its turn changed in state and artifacts. */
  readonly effects?: MessageEffects | undefined;
}

/**
 * Saves an answer right after its question: on its branch, or, where that has gone on without it, on a new branch that
 * begins at the question. The active branch stays active.
 * @throws BranchNotFoundError, ReadOnlyError
 */
export async function saveLateAnswer({
  store,
  chatId,
  branch,
  afterId,
  message,
  effects,
}: LateAnswer): Promise<void> {
  await store.saveMessages({
    chatId,
    branch,
    expectedHead: afterId,
    onHeadConflict: 'fork',
    newBranchAt: undefined,
    activate: false,
    messages: [
      {
        id: message.id,
        name: message.role,
        type: 'message',
        data: storable(message, 'answer'),
        invocationId: undefined,
        replaces: undefined,
        effects,
      },
    ],
    shared: { user: new Map(), app: new Map(), userId: '', artifacts: [] },
  });
}
