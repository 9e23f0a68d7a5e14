import { errorDescriptor, OffshootError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { AnswerInProgress } from './answerInProgress.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { AnswerOutcome } from './answerStream.ts';
import { errorName } from './errorName.ts';
import type { AnswerError } from './modelErrors.ts';
import { nothingSaved } from './nothingSaved.ts';
import { createNotice } from './notice.ts';
import type { NotSaved } from './run.ts';
import type { RunLog } from './runLog.ts';

/** What became of an answer that has ended. */
export interface KeptAnswer {
  /** How it came about; undefined where the chat is gone. */
  readonly metadata: AnswerMetadata | undefined;
  /** It failed before its first word, and nothing of it is stored. */
  readonly hasNoWord: boolean;
  /** What is to be told in place of what ended it. */
  readonly error: AnswerError | undefined;
  /** Left out where nothing is left to save. */
  readonly notSaved?: NotSaved;
}

interface Ending {
  /** The chat is gone. */
  readonly isAbandoned: boolean;
  /** The conversation was compacted, or should have been, and no model was asked for an answer. */
  readonly isOnlyCompacted: boolean;
}

/**
 * Saves an answer. Where that fails, all of it stays in memory, to be saved once more, and its draft stays as well: should
 * the window end before, that is saved at the next start.
 */
export async function keepAnswer(
  answer: AnswerInProgress,
  log: RunLog,
  outcome: AnswerOutcome,
  { isAbandoned, isOnlyCompacted }: Ending,
): Promise<KeptAnswer> {
  const { engine } = answer.place;
  await answer.stop();
  if (isAbandoned) {
    await engine.close();
    return { metadata: undefined, hasNoWord: false, error: undefined };
  }
  const metadata = answer.metadataOf(outcome);
  const isWordless = outcome.status === 'failed' && answer.isWordless;
  if (isOnlyCompacted || isWordless) {
    // The draft of nothing is dropped at the next start.
    await answer.discard().catch((error: unknown) => {
      log.warn(`${answer.name}: its draft could not be deleted (${errorName(error)})`);
    });
    await engine.close();
    if (isOnlyCompacted) return { metadata, hasNoWord: false, error: undefined };
    return { metadata, hasNoWord: true, error: outcome.error && nothingSaved(outcome.error) };
  }
  try {
    await answer.finish(metadata);
    await engine.close();
    return { metadata, hasNoWord: false, error: undefined };
  } catch (error) {
    log.error(`${answer.name}: the answer could not be saved (${errorName(error)})`);
    // The engine stays open: what was to be saved with it waits there.
    const save = async (): Promise<void> => {
      await answer.saveAgain(metadata);
      log.info(`${answer.name}: saved after all`);
      await engine.close();
    };
    const notSaved = { draft: answer.asDraft(metadata), save };
    return { metadata, hasNoWord: false, error: notSavedError(error), notSaved };
  }
}

function notSavedError(error: unknown): AnswerError {
  if (error instanceof OffshootError && error.code === 'connection-lost') {
    return createNotice(
      'not-saved',
      defineMessage(
        'Not saved yet: the shared store can’t be reached. This window keeps the response, and saves it when the connection is back.',
      ),
    );
  }
  return createNotice(
    'not-saved',
    defineMessage('Not saved, and only in this window: {0}', errorDescriptor(error)),
  );
}

/** Said of an answer that can't go on, though nothing is wrong with its model. */
export function couldNotContinue(error: unknown): AnswerError {
  return createNotice(
    'not-saved',
    defineMessage('This answer couldn’t continue: {0}', errorDescriptor(error)),
  );
}
