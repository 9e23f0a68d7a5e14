import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

/** A page sent a request that does not match its protocol. */
export class UnreadableRequestError extends OffshootError {
  constructor() {
    super(
      'unreadable-request',
      defineMessage('A request of this page couldn’t be read. Close the view or tab and open it again.'),
    );
  }
}
