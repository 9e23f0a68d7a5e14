import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

/** A page asked for something in a form that its protocol does not have. */
export class UnreadableRequestError extends OffshootError {
  constructor() {
    super(
      'unreadable-request',
      defineMessage('A request of this page couldn’t be read. Close the view or tab and open it again.'),
    );
  }
}
