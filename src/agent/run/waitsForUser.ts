import { defineMessage } from '../../engine/messageDescriptor.ts';
import { createNotice, type Notice } from '../../models/errors/notice.ts';
import type { RepeatedCall } from '../tools/repeatedCalls.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { isToolPart, readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { answerMetadataOf } from './answerMetadata.ts';
import { isSettled } from '../../models/messages/toolParts.ts';

const STEP_LIMIT = 'step-limit';
const REPEATED_CALLS = 'repeated-calls';

export function stepLimitNotice(maxSteps: number): Notice {
  return createNotice(
    STEP_LIMIT,
    defineMessage('It took {0} steps and waits for you. Continue, or ask something else.', maxSteps),
  );
}

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

/** How many nodes without words may follow an answer: each is a state or artifact change by the user. */
const REACH = 100;

/** Whether a branch ends with an unfinished answer; an answer without a word is not on its path. */
export async function canContinue(
  store: Pick<ReadonlyStore, 'getPath'>,
  chatId: string,
  headId: string | undefined,
): Promise<boolean> {
  const path = headId === undefined ? [] : await store.getPath(chatId, headId, { limit: REACH });
  const last = path.findLast(({ type }) => type === 'message');
  const read = last && readUIMessage(last.data);
  const answer = read && answerMetadataOf(read);
  if (!answer) return false;
  return answer.status !== 'complete' || waitsForUser(answer.notice) || endsWithCall(read);
}

/** Whether an answer continued in another message: the branch was rewound to one of its steps. */
export function endsWithCall({ parts }: Pick<UIMessage, 'parts'>): boolean {
  const last = parts.findLast(({ type }) => type !== 'step-start');
  return last !== undefined && isToolPart(last) && isSettled(last);
}
