import { errorDescriptor } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { createNotice, type Notice } from './notice.ts';

/** A step of an answer could not be kept, so that it ends. */
export function couldNotContinue(error: unknown): Notice {
  return createNotice(
    'not-saved',
    defineMessage('This answer couldn’t continue: {0}', errorDescriptor(error)),
  );
}

/** An answer could not be saved; its draft stays. */
export function couldNotBeSaved(error: unknown): Notice {
  return createNotice(
    'not-saved',
    defineMessage('This answer could not be saved: {0}', errorDescriptor(error)),
  );
}
