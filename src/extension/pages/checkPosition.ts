import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { AlternativesProtocol } from '../../protocol/alternativesFromPage.ts';
import type { ShownPlace } from '../../protocol/answersFromPage.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf, RequestOf } from '../../protocol/envelope.ts';

/** What pages with answers say and ask. */
type Said =
  | NoticeOf<ChatProtocol>
  | RequestOf<ChatProtocol>
  | NoticeOf<AlternativesProtocol>
  | RequestOf<AlternativesProtocol>;

/** The page showed another conversation when something was asked of it. */
export class PlaceChangedError extends OffshootError {
  constructor() {
    super(
      'place-changed',
      defineMessage('This chat changed meanwhile. Nothing was done; check the chat, then try again.'),
    );
  }
}

/** What names its own target: it means the same whichever branch is shown. */
const OF_ANY_BRANCH: ReadonlySet<Said['type']> = new Set([
  'stopAnswer',
  'dismissAside',
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
export function checkPlace(message: Said, actual: ShownPlace): void {
  if (!('place' in message)) return;
  const { chatId, branch, questionId } = message.place;
  const isSame =
    chatId === actual.chatId &&
    questionId === actual.questionId &&
    (branch === actual.branch || OF_ANY_BRANCH.has(message.type));
  if (!isSame) throw new PlaceChangedError();
}
