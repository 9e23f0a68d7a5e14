import { OffshootError } from '../../engine/errors.ts';
import {
  defineMessage,
  type MessageArgument,
  type MessageDescriptor,
} from '../../engine/messageDescriptor.ts';
import type { AnswerError } from '../../models/errors/modelErrors.ts';
import { createNotice, type Notice } from '../../models/errors/notice.ts';

export const NOT_COMPACTED = 'not-compacted';
/** The same, where the user can let the request through. */
export const NOT_COMPACTED_AT_BUDGET = 'not-compacted-at-budget';

export class NothingToCompactError extends OffshootError {
  constructor() {
    super(
      'nothing-to-compact',
      defineMessage('Nothing to compact yet. The last question and what follows it are always sent.'),
    );
  }
}

export class UselessSummaryError extends OffshootError {
  constructor(modelLabel: string) {
    super(
      'useless-summary',
      defineMessage('The summary that {0} wrote is longer than what it stands for.', modelLabel),
    );
  }
}

export function notCompacted(why: MessageDescriptor): Notice {
  return createNotice(
    NOT_COMPACTED,
    defineMessage('The conversation couldn’t be compacted, and was sent whole. {0}', why),
  );
}

/** @param tooLong the server's refusal */
export function fullAndNotCompacted(
  modelLabel: string,
  tooLong: AnswerError,
  why: MessageDescriptor,
): AnswerError {
  return createNotice(
    'context-too-long',
    defineMessage(
      'Context window of {0} exceeded{1} The conversation couldn’t be compacted. {2}',
      modelLabel,
      wordsIn(tooLong),
      why,
    ),
  );
}

/** @param tooLong the server's refusal */
export function fullAndNothingToCompact(modelLabel: string, tooLong: AnswerError): AnswerError {
  return createNotice(
    'context-too-long',
    defineMessage(
      'Context window of {0} exceeded{1} Nothing is left to compact: shorten the question, turn off tools, or select a model with a larger context window.',
      modelLabel,
      wordsIn(tooLong),
    ),
  );
}

/** A colon and the server's message, or a full stop. */
function wordsIn({ phrase }: AnswerError): MessageArgument {
  return phrase?.args[1] ?? '.';
}
