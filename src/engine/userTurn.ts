import type { MessageData } from './graph.ts';
import { isNoticeMessage } from './pathSummary.ts';
import type { UIMessage } from './uiMessage.ts';

/**
 * True for a question of the user, stored or as a model sees it. A report or a summary has the user's role as well
 * but is not a question; stored, it has its own name.
 */
export function isUserTurn(
  message: Pick<MessageData, 'name'> | Pick<UIMessage, 'role' | 'metadata'>,
): boolean {
  return 'name' in message ? message.name === 'user' : message.role === 'user' && !isNoticeMessage(message);
}
