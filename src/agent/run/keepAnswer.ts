import { errorDescriptor, OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { AnswerInProgress } from './answerInProgress.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { AnswerOutcome } from './answerStream.ts';
import { errorName, type RunLog } from './runLog.ts';
import type { AnswerError } from '../../models/errors/modelErrors.ts';
import { createNotice, type Notice } from '../../models/errors/notice.ts';
import type { NotSaved, Run } from './run.ts';

export interface KeptAnswer extends Pick<Run, 'error' | 'isUnsaved'> {
  /** Undefined if the chat is gone. */
  readonly metadata: AnswerMetadata | undefined;
  /** How it ended, or `failed` if it could not be saved. */
  readonly status: AnswerMetadata['status'];
  /** Omitted if nothing is left to save. */
  readonly notSaved?: NotSaved;
}

interface Ending {
  /** The chat is gone. */
  readonly isAbandoned: boolean;
  /** The conversation was compacted, or compaction failed, and no model was asked for an answer. */
  readonly isOnlyCompacted: boolean;
}

/** On failure, all of it stays in memory for another save, and its draft stays to be saved at the next start. */
export async function keepAnswer(
  answer: AnswerInProgress,
  log: RunLog,
  outcome: AnswerOutcome,
  { isAbandoned, isOnlyCompacted }: Ending,
): Promise<KeptAnswer> {
  const { node } = answer;
  const { engine } = node.place;
  await node.stop();
  const { isWordless } = node;
  const { status } = outcome;
  const error = outcome.error && keptError(outcome.error, !isWordless);
  if (isAbandoned) {
    await engine.close();
    return { metadata: undefined, isUnsaved: false, status, error };
  }
  const metadata = answer.metadataOf({ ...outcome, error });
  if (isOnlyCompacted || (isWordless && status === 'failed')) {
    // An empty draft is dropped at the next start.
    await node.deleteDraft().catch((cause: unknown) => {
      log.warn(`${answer.name}: its draft could not be deleted (${errorName(cause)})`);
    });
    await engine.close();
    return { metadata, isUnsaved: !isOnlyCompacted, status, error };
  }
  try {
    await node.save(metadata);
    await engine.close();
    return { metadata, isUnsaved: false, status, error };
  } catch (cause) {
    log.error(`${answer.name}: the answer could not be saved (${errorName(cause)})`);
    // The engine stays open: the unsaved changes are pending there.
    const save = async (): Promise<void> => {
      await node.saveAgain(metadata);
      log.info(`${answer.name}: saved after all`);
      await engine.close();
    };
    const notSaved = { draft: node.asDraft(metadata), save };
    return { metadata, isUnsaved: false, status: 'failed', error: notSavedError(cause), notSaved };
  }
}

function notSavedError(error: unknown): Notice {
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
export function couldNotContinue(error: unknown): Notice {
  return createNotice(
    'not-saved',
    defineMessage('This answer couldn’t continue: {0}', errorDescriptor(error)),
  );
}

function keptError({ ifPartSaved, ...notice }: AnswerError, isPartSaved: boolean): Notice {
  return isPartSaved && ifPartSaved ? createNotice(notice.code, ifPartSaved) : notice;
}
