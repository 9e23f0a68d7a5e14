import { errorDescriptor } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { AnswerInProgress } from './answerInProgress.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { AnswerOutcome } from './answerStream.ts';
import { errorName } from './errorName.ts';
import type { AnswerError } from './modelErrors.ts';
import { nothingSaved } from './nothingSaved.ts';
import { createNotice } from './notice.ts';
import type { RunLog } from './runLog.ts';

/** What became of an answer that has ended. */
export interface KeptAnswer {
  /** How it came about; undefined where the chat is gone. */
  readonly metadata: AnswerMetadata | undefined;
  /** It failed before its first word, and nothing of it is stored. */
  readonly hasNoWord: boolean;
  /** What is to be told in place of what ended it. */
  readonly error: AnswerError | undefined;
}

interface Ending {
  /** The chat is gone. */
  readonly isAbandoned: boolean;
  /** The conversation was compacted, or should have been, and no model was asked for an answer. */
  readonly isOnlyCompacted: boolean;
}

/** Saves an answer. Where that fails, the draft stays, to be saved at the next start. */
export async function keepAnswer(
  answer: AnswerInProgress,
  log: RunLog,
  outcome: AnswerOutcome,
  { isAbandoned, isOnlyCompacted }: Ending,
): Promise<KeptAnswer> {
  const { engine } = answer.place;
  await answer.stop();
  let metadata: AnswerMetadata | undefined;
  try {
    if (isAbandoned) return { metadata, hasNoWord: false, error: undefined };
    metadata = answer.metadataOf(outcome);
    if (isOnlyCompacted) {
      await answer.discard();
      return { metadata, hasNoWord: false, error: undefined };
    }
    if (outcome.status === 'failed' && answer.isWordless) {
      await answer.discard();
      return { metadata, hasNoWord: true, error: outcome.error && nothingSaved(outcome.error) };
    }
    await answer.finish(metadata);
    return { metadata, hasNoWord: false, error: undefined };
  } catch (error) {
    log.error(`${answer.name}: the answer could not be saved (${errorName(error)})`);
    const failure = createNotice(
      'not-saved',
      defineMessage('This answer could not be saved: {0}', errorDescriptor(error)),
    );
    return { metadata, hasNoWord: false, error: failure };
  } finally {
    await engine.close();
  }
}

/** Said of an answer that can't go on, though nothing is wrong with its model. */
export function couldNotContinue(error: unknown): AnswerError {
  return createNotice(
    'not-saved',
    defineMessage('This answer couldn’t continue: {0}', errorDescriptor(error)),
  );
}
