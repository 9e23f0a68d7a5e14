import { OffshootError } from '../errors.ts';
import { defineMessage } from '../messageDescriptor.ts';

/** The answer of this id is being written: by this program, or by another one. */
export class AnswerRunningError extends OffshootError {
  constructor(readonly answerId: string) {
    super(
      'answer-running',
      defineMessage('Answer "{0}" is being written. Watch it, or cancel it first.', answerId),
    );
  }
}

/** An answer of this id was begun before and is not finished. */
export class AnswerUnfinishedError extends OffshootError {
  constructor(readonly answerId: string) {
    super(
      'answer-unfinished',
      defineMessage('Answer "{0}" was started and not finished. Reopen it, or discard it first.', answerId),
    );
  }
}

/** The chat has no unfinished answer of this id. */
export class AnswerNotFoundError extends OffshootError {
  constructor(readonly answerId: string) {
    super('answer-not-found', defineMessage('Answer "{0}" not found', answerId));
  }
}

/** The answer was canceled while it was written; what had arrived is kept. */
export class AnswerCancelledError extends OffshootError {
  constructor(readonly answerId: string) {
    super(
      'answer-cancelled',
      defineMessage('Answer "{0}" was canceled. Partial response saved; reopen it to continue.', answerId),
    );
  }
}

/** Another writer has reopened the answer, because this one seemed to be gone. */
export class AnswerTakenError extends OffshootError {
  constructor(readonly answerId: string) {
    super(
      'answer-taken',
      defineMessage('Answer "{0}" was reopened elsewhere and can’t be written from here any more.', answerId),
    );
  }
}
