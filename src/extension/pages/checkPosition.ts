import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { ChatProtocol, ShownPosition } from '../../protocol/chatFromPage.ts';
import type { MessageOf } from '../../protocol/everyPage.ts';

type PageMessage = MessageOf<ChatProtocol>;

/** The page showed another conversation when it sent a message. */
export class PositionChangedError extends OffshootError {
  constructor() {
    super('place-changed', defineMessage('The chat changed. Try again.'));
  }
}

/** Messages that name their own target: they mean the same on every branch. */
const OF_ANY_BRANCH: ReadonlySet<PageMessage['type']> = new Set([
  'stopAnswer',
  'saveAnswer',
  'dismissSideQuestion',
  'discardSideQuestion',
  'answerApproval',
  'answerQuestions',
  'showChanges',
  'openToolCall',
  'switchBranch',
  'loadPicture',
]);

/** Refuses a message about a conversation that is not the host's: it would change one that the user doesn't see. */
export function checkPosition(message: PageMessage, actual: ShownPosition): void {
  if (!('place' in message)) return;
  const { chatId, branch, questionId } = message.place;
  const isSame =
    chatId === actual.chatId &&
    questionId === actual.questionId &&
    (branch === actual.branch || OF_ANY_BRANCH.has(message.type));
  if (!isSame) throw new PositionChangedError();
}

/** Messages that name their own branch need no store: an answer can be stopped while the store can't be reached. */
export async function checkOpen(
  message: PageMessage,
  chatId: () => Promise<string>,
  place: () => Promise<ShownPosition>,
): Promise<void> {
  if (!('place' in message)) return;
  const actual = OF_ANY_BRANCH.has(message.type) ? { chatId: await chatId() } : await place();
  checkPosition(message, actual);
}
