import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { Draft } from '../engine/store.ts';
import { draftMetadata, type AnswerMetadata } from './answerMetadata.ts';
import { errorName } from './errorName.ts';
import { RESTARTED_CALL } from './restarted.ts';
import type { RunLog } from './runLog.ts';
import { withSettledCalls } from './tools/toolParts.ts';
import { isWordless } from './wordless.ts';
import type { AgentWrites } from './writes.ts';

export interface RecoverDraftsOptions {
  readonly store: Pick<ReadonlyStore, 'getMessage' | 'isReadOnly'>;
  readonly writes: Pick<AgentWrites, 'deleteDraft' | 'saveLateAnswer'>;
  readonly log: RunLog;
  /** Whether this window is writing an answer on a branch now. */
  readonly isBeingWritten: (draft: Draft) => boolean;
}

/**
 * Turns abandoned drafts into interrupted answers, each after its question.
 * @returns how many answers were saved
 */
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
async function recoverOne(
  { store, writes, log }: RecoverDraftsOptions,
  { chatId, branch, message }: Draft,
): Promise<boolean> {
  const isSaved = (await store.getMessage(chatId, message.id)) !== undefined;
  // It was cut off before its first word: its question can be answered again.
  const isKept = !isSaved && !isWordless(message);
  if (isKept) {
    const { afterId, ...metadata } = draftMetadata.parse(message.metadata);
    const settled = withSettledCalls(message, RESTARTED_CALL);
    const answer = { ...settled, metadata: metadata satisfies AnswerMetadata };
    await writes.saveLateAnswer({ chatId, branch, afterId, message: answer });
    log.info(`Answer ${message.id}: recovered from its draft`);
  }
  await writes.deleteDraft(chatId, branch);
  return isKept;
}
