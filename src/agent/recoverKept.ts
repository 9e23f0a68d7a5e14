import { ChatNotFoundError } from '../engine/errors.ts';
import type { NewDraft } from '../engine/store.ts';
import type { AnswerKeeper } from './answerKeeper.ts';
import { draftMetadata } from './answerMetadata.ts';
import { errorName } from './errorName.ts';
import { isStoredAs } from './isStoredAs.ts';
import type { RecoverDraftsOptions } from './recoverDrafts.ts';

/**
 * Saves the complete answers that a window kept because it could not save them, each after its question.
 * @param isHere whether this window will save an answer itself
 * @returns how many were saved
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
