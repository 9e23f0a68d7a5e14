import { OffshootError } from '../../engine/errors.ts';
import {
  defineMessage,
  type MessageArgument,
  type MessageDescriptor,
} from '../../engine/messageDescriptor.ts';
import type { AnswerError } from '../modelErrors.ts';
import { createNotice, type Notice } from '../notice.ts';

/** The code of what is said where no summary came of it. */
export const NOT_COMPACTED = 'not-compacted';

/** Nothing stands before the last question that could be compacted. */
export class NothingToCompactError extends OffshootError {
  constructor() {
    super(
      'nothing-to-compact',
      defineMessage('Nothing to compact yet. The last question and what follows it are always sent.'),
    );
  }
}

/** What a model wrote is no use as a summary. */
export class UselessSummaryError extends OffshootError {
  constructor(modelLabel: string) {
    super(
      'useless-summary',
      defineMessage('The summary that {0} wrote is longer than what it stands for.', modelLabel),
    );
  }
}

/** Said of an answer that went on without the summary it was to begin from. */
export function notCompacted(why: MessageDescriptor): Notice {
  return createNotice(
    NOT_COMPACTED,
    defineMessage('The conversation couldn’t be compacted, and was sent whole. {0}', why),
  );
}

/** The context is full, and no summary came of it. @param tooLong as the server's refusal is described */
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

/** The context is full, and nothing in it can be done without. @param tooLong as the server's refusal is described */
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

/** The server's words, behind a colon, or a full stop. */
function wordsIn({ phrase }: AnswerError): MessageArgument {
  return phrase?.args[1] ?? '.';
}
