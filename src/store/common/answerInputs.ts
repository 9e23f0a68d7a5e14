import { DamagedDataError } from '../../engine/errors.ts';
import { checkedId, storable } from '../../engine/storable.ts';
import type { AnswerData, AnswerWrite, SaveAnswer, UnfinishedStatus } from '../../engine/store.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { messageJson } from './messageContent.ts';
import type { Inputs } from './writeInputs.ts';

/**
 * How long a writer that lives may take to end an answer that was canceled, in milliseconds. Afterwards the answer counts
 * as canceled without it.
 */
export const CANCEL_GRACE_MS = 10_000;

/** @throws InvalidArgumentError, InvalidNameError */
export function checkedWrite<T extends AnswerWrite>(write: T): T {
  checkedId(write.answerId, 'message id');
  checkedId(write.claim, 'claim');
  return write;
}

/** A copy of the message of an answer, as JSON. @throws NotStorableError, MessageTooLargeError */
export function answerJson(answerId: string, message: UIMessage): string {
  const data = storable({ ...message, id: answerId }, 'message');
  const [json] = messageJson({ id: answerId, data, effects: undefined });
  return json;
}

/** @throws NotStorableError, MessageTooLargeError */
export function saveInput({ message, error, ...rest }: SaveAnswer): Inputs['answerToSave'] {
  return {
    ...checkedWrite(rest),
    ...(message === undefined ? {} : { data: answerJson(rest.answerId, message) }),
    ...(error === undefined ? {} : { error: JSON.stringify(error.toWellFormed()) }),
  };
}

/** The text of a stored error. @throws DamagedDataError */
export function errorText(json: string | undefined): AnswerData['error'] {
  if (json === undefined) return undefined;
  try {
    const text: unknown = JSON.parse(json);
    if (typeof text === 'string') return text;
  } catch (cause) {
    throw new DamagedDataError('the error of an answer cannot be read', { cause });
  }
  throw new DamagedDataError('the error of an answer is no text');
}

/** @throws DamagedDataError */
export function unfinishedStatus(status: string): UnfinishedStatus {
  if (status === 'running' || status === 'failed' || status === 'cancelled' || status === 'interrupted') {
    return status;
  }
  throw new DamagedDataError(`"${status}" is no status of an answer`);
}
