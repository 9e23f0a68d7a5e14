import { OffshootError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

/** An answer is still being written on this branch. */
export class BranchBusyError extends OffshootError {
  constructor(readonly branch: string) {
    super(
      'branch-busy',
      defineMessage(
        'An answer is still being written on that branch. Stop it first, or use “By the Way” to ask on a separate branch.',
      ),
    );
  }
}

/** The branch does not end with a question. */
export class NothingToAnswerError extends OffshootError {
  constructor(readonly branch: string) {
    super(
      'nothing-to-answer',
      defineMessage('Branch “{0}” does not end with a question. Type one first.', branch),
    );
  }
}
