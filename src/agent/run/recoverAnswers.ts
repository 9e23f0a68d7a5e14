import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { openAnswerIn } from '../../engine/openAnswer.ts';
import type { Draft, NewDraft } from '../../engine/store.ts';
import { draftMetadata, type AnswerMetadata } from './answerMetadata.ts';
import { errorName, type RunLog } from './runLog.ts';
import { withSettledCalls } from '../../models/messages/toolParts.ts';
import { isWordless, isStoredAs } from './answerDraft.ts';
import type { AgentWrites, LateAnswer } from './writes.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { createNotice, type Notice } from '../../models/errors/notice.ts';
import { ChatNotFoundError } from '../../engine/errors.ts';

export interface RecoverDraftsOptions {
  readonly store: Pick<ReadonlyStore, 'getMessage' | 'isReadOnly'>;
  readonly writes: Pick<AgentWrites, 'deleteDraft' | 'saveLateAnswer'>;
  readonly log: RunLog;
  readonly isBeingWritten: (draft: Draft) => boolean;
}

/** Turns abandoned drafts into interrupted answers, each after its question. @returns how many were saved */
export async function recoverDrafts(
  options: RecoverDraftsOptions,
  drafts: readonly Draft[],
): Promise<number> {
  let count = 0;
  for (const draft of drafts) {
    // Another window is still writing this answer.
    if (options.store.isReadOnly || draft.isBeingWritten) continue;
    if (options.isBeingWritten(draft)) continue;
    try {
      if (await recoverOne(options, draft)) count += 1;
    } catch (error) {
      options.log.error(`The draft ${draft.message.id} could not be recovered (${errorName(error)})`);
    }
  }
  return count;
}

/** True if it became an answer; false if that was saved before, or it is empty. */
async function recoverOne({ store, writes, log }: RecoverDraftsOptions, draft: Draft): Promise<boolean> {
  const { chatId, branch, message } = draft;
  const isSaved = (await store.getMessage(chatId, message.id)) !== undefined;
  // It was cut off before its first word: its question can be answered again.
  const isKept = !isSaved && !isWordless(message);
  if (isKept) {
    await writes.saveLateAnswer({ chatId, branch, ...answerIn(draft) });
    log.info(`Answer ${message.id}: recovered from its draft`);
  }
  await writes.deleteDraft(chatId, branch);
  return isKept;
}

/** The answer as it is saved, and the message it follows. */
function answerIn(draft: Draft): Pick<LateAnswer, 'afterId' | 'message'> {
  // One that a program of the engine's package fills.
  const open = openAnswerIn(draft);
  if (open) return { afterId: open.after, message: open.message };
  const { afterId, ...metadata } = draftMetadata.parse(draft.message.metadata);
  const settled = withSettledCalls(draft.message, RESTARTED_CALL);
  return { afterId, message: { ...settled, metadata: metadata satisfies AnswerMetadata } };
}

export const RESTARTED: Notice = createNotice(
  'restarted',
  defineMessage('The editor closed before the answer ended. Partial response saved. Ask again for the rest.'),
);

/** What the model is sent about a call that was running then. */
export const RESTARTED_CALL =
  'The editor was closed or restarted before this call ended; what it did is not known.';

/**
 * Saves the complete answers that a window kept because it could not save them, each after its question.
 * @param isHere whether this window will save an answer itself
 */
export async function recoverKept(
  { store, writes, log }: Pick<RecoverDraftsOptions, 'store' | 'writes' | 'log'>,
  keeper: AnswerKeeper,
  isHere: (draft: NewDraft) => boolean,
): Promise<number> {
  let count = 0;
  if (store.isReadOnly) return count;
  for (const draft of keeper.list().filter((each) => !isHere(each))) {
    const { chatId, branch, message } = draft;
    try {
      const stored = await store.getMessage(chatId, message.id);
      if (!stored || !isStoredAs(stored, message)) {
        const { afterId, ...metadata } = draftMetadata.parse(message.metadata);
        // Its draft may have been saved in the meantime: then both are kept.
        const id = stored ? crypto.randomUUID() : message.id;
        await writes.saveLateAnswer({ chatId, branch, afterId, message: { ...message, id, metadata } });
        log.info(`Answer ${message.id}: saved after all`);
        count += 1;
      }
      keeper.forget(message.id);
    } catch (error) {
      log.error(`The answer ${message.id} that was kept could not be saved (${errorName(error)})`);
      if (error instanceof ChatNotFoundError) keeper.forget(message.id);
    }
  }
  return count;
}

/** Keeps answers outside of a store that could not save them, so that they survive the window. */
export interface AnswerKeeper {
  list(): readonly NewDraft[];
  keep(answer: NewDraft): void;
  forget(messageId: string): void;
}

/** Loads a keeper when there is an answer to keep or to restore. */
export interface AnswerKeeping {
  readonly isEmpty: () => boolean;
  readonly open: () => Promise<AnswerKeeper>;
}
