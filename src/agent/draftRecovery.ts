import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { Draft } from '../engine/store.ts';
import { draftMetadata, type AnswerMetadata } from './answerMetadata.ts';
import { RESTARTED_CALL } from './restarted.ts';
import type { RunLog } from './runLog.ts';
import { withSettledCalls } from './tools/toolParts.ts';
import { isWordless } from './wordless.ts';
import type { AgentWrites } from './writes.ts';

interface RecoveryParts {
  readonly store: ReadonlyStore;
  readonly writes: AgentWrites;
  readonly log: RunLog;
}

/** Turns the drafts a crash left behind into interrupted answers, each after its question. */
export class DraftRecovery {
  constructor(
    private readonly parts: RecoveryParts,
    private readonly isBeingWrittenHere: (draft: Draft) => boolean,
  ) {}

  /** @returns how many answers were saved */
  async recover(drafts: readonly Draft[]): Promise<number> {
    const { store, log } = this.parts;
    let count = 0;
    for (const draft of drafts) {
      // Another window is still writing this answer.
      if (store.isReadOnly || draft.isBeingWritten) continue;
      if (this.isBeingWrittenHere(draft)) continue;
      try {
        if (await this.recoverOne(draft)) count += 1;
      } catch (error) {
        const name = error instanceof Error ? error.name : typeof error;
        log.error(`The draft ${draft.message.id} could not be recovered (${name})`);
      }
    }
    return count;
  }

  /** True when it became an answer; false when that had been saved before, or there is nothing of it. */
  private async recoverOne({ chatId, branch, message }: Draft): Promise<boolean> {
    const { store, writes, log } = this.parts;
    const isSaved = (await store.getMessage(chatId, message.id)) !== undefined;
    // It was cut off before its first word: its question can be answered anew.
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
}
