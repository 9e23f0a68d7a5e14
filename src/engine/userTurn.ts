import type { MessageData } from './graph.ts';
import { isNoticeMessage } from './pathSummary.ts';
import type { UIMessage } from './uiMessage.ts';

/**
 * True for what a user asked, stored or as a model sees it. A report or a summary has the user's role as well, but
 * nobody asked anything with it; as it is stored, it has a name of its own.
 */
export function isUserTurn(
  message: Pick<MessageData, 'name'> | Pick<UIMessage, 'role' | 'metadata'>,
): boolean {
  return 'name' in message ? message.name === 'user' : message.role === 'user' && !isNoticeMessage(message);
}
