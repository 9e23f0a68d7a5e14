import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import { isToolPart, readUIMessage, type UIMessage } from '../engine/uiMessage.ts';
import { answerMetadataOf } from './answerMetadata.ts';
import { isSettled } from './tools/toolParts.ts';
import { waitsForUser } from './waitingNotice.ts';

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
