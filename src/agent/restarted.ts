import type { AnswerError } from './modelErrors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { createNotice } from './notice.ts';

/** The error for an answer that the program's end interrupted. */
export const RESTARTED: AnswerError = createNotice(
  'restarted',
  defineMessage('The editor closed before the answer ended. Partial response saved. Ask again for the rest.'),
);

/** What the model is sent about a call that was running then. */
export const RESTARTED_CALL =
  'The editor was closed or restarted before this call ended; what it did is not known.';
