import { errorDescriptor, OffshootError } from '../../engine/errors.ts';
import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import type { AnswerInProgress } from './answerInProgress.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { AnswerOutcome } from './answerStream.ts';
import { errorName, type RunLog } from './runLog.ts';
import type { AnswerError } from '../../models/errors/modelErrors.ts';
import { createNotice } from '../../models/errors/notice.ts';
import type { NotSaved } from './run.ts';

/** The result of saving an ended answer. */
export interface KeptAnswer {
  /** The answer's metadata; undefined if the chat is gone. */
  readonly metadata: AnswerMetadata | undefined;
  /** It failed before its first word, and none of it is stored. */
  readonly hasNoWord: boolean;
  /** The error to show in place of the one that ended it. */
  readonly error: AnswerError | undefined;
  /** Omitted if nothing is left to save. */
  readonly notSaved?: NotSaved;
}

interface Ending {
  /** The chat is gone. */
  readonly isAbandoned: boolean;
  /** The conversation was compacted, or compaction failed, and no model was asked for an answer. */
  readonly isOnlyCompacted: boolean;
}

/**
 * Saves an answer. On failure, all of it stays in memory for another save, and its draft stays as well: if the window
 * closes first, the draft is saved at the next start.
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
    // An empty draft is dropped at the next start.
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
    // The engine stays open: the unsaved changes are pending there.
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

/** The error for an answer that can't continue although its model works. */
export function couldNotContinue(error: unknown): AnswerError {
  return createNotice(
    'not-saved',
    defineMessage('This answer couldn’t continue: {0}', errorDescriptor(error)),
  );
}

const SAVED = ' Partial response saved.';

/** Messages for an answer that ended before its first word. */
const withoutSaved: readonly MessageDescriptor[] = [
  defineMessage('Connection to the model server lost.'),
  defineMessage('The model server ended its response early.'),
  defineMessage(
    'The model server sent data that isn’t part of its protocol. If it happens again, check that the address is one of an OpenAI-compatible server.',
  ),
];

/** The error of an answer that ended with no content: it does not claim that a part was saved. */
function nothingSaved(error: AnswerError): AnswerError {
  const template = error.phrase?.template.replace(SAVED, '');
  const variant = withoutSaved.find((each) => each.template === template);
  return variant ? createNotice(error.code, variant) : error;
}
