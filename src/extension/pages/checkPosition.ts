import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { AlternativesProtocol } from '../../protocol/alternativesFromPage.ts';
import type { ShownPosition } from '../../protocol/answersFromPage.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf, RequestOf } from '../../protocol/envelope.ts';

/** What pages with answers say and ask. */
type PageMessage =
  | NoticeOf<ChatProtocol>
  | RequestOf<ChatProtocol>
  | NoticeOf<AlternativesProtocol>
  | RequestOf<AlternativesProtocol>;

/** The page showed another conversation when something was asked of it. */
export class PositionChangedError extends OffshootError {
  constructor() {
    super(
      'place-changed',
      defineMessage('This chat changed meanwhile. Nothing was done; check the chat, then try again.'),
    );
  }
}

/** What names its own target: it means the same whichever branch is shown. */
const OF_ANY_BRANCH: ReadonlySet<PageMessage['type']> = new Set([
  'stopAnswer',
  'saveAnswer',
  'dismissSideQuestion',
  'discardSideQuestion',
  'answerApproval',
  'showChanges',
  'openToolCall',
  'switchBranch',
  'loadPicture',
]);

/**
 * Refuses what a page asks of a conversation that is not the host's: it would be done to one that the user doesn't see.
 * @param actual what the host has open now
 */
export function checkPosition(message: PageMessage, actual: ShownPosition): void {
  if (!('place' in message)) return;
  const { chatId, branch, questionId } = message.place;
  const isSame =
    chatId === actual.chatId &&
    questionId === actual.questionId &&
    (branch === actual.branch || OF_ANY_BRANCH.has(message.type));
  if (!isSame) throw new PositionChangedError();
}

/**
 * The same, where what is open is in a store. For what names its own branch that is not asked: an answer can be stopped
 * while the store can't be reached.
 */
export async function checkOpen(
  message: PageMessage,
  chatId: () => Promise<string>,
  place: () => Promise<ShownPosition>,
): Promise<void> {
  if (!('place' in message)) return;
  const actual = OF_ANY_BRANCH.has(message.type) ? { chatId: await chatId() } : await place();
  checkPosition(message, actual);
}
