import { defineMessage } from '../engine/messageDescriptor.ts';
import { createNotice, type Notice } from './notice.ts';
import type { RepeatedCall } from './tools/repeatedCalls.ts';

const STEP_LIMIT = 'step-limit';
const REPEATED_CALLS = 'repeated-calls';

/** The notice when an answer reached its step limit. */
export function stepLimitNotice(maxSteps: number): Notice {
  return createNotice(
    STEP_LIMIT,
    defineMessage('It took {0} steps and waits for you. Continue, or ask something else.', maxSteps),
  );
}

/** The notice when the model kept repeating a call with one input. */
export function repeatedCallsNotice({ toolName, count }: RepeatedCall): Notice {
  return createNotice(
    REPEATED_CALLS,
    defineMessage(
      'It called {0} {1} times with the same input and waits for you. Say what to do differently, or continue.',
      toolName,
      count,
    ),
  );
}

/** Whether an answer that did not fail has more to do, and waits for the user's consent. */
export function waitsForUser(notice: Pick<Notice, 'code'> | undefined): boolean {
  return notice?.code === STEP_LIMIT || notice?.code === REPEATED_CALLS;
}
