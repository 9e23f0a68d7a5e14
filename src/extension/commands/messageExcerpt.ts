import { plainText } from '../../agent/context/plainText.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { oneLine } from '../ui/shownName.ts';

/** The first words of a message, in one line of at most `limit` characters, as lists show them. */
export function messageExcerpt(message: UIMessage, limit: number): string {
  return oneLine(plainText(message), limit);
}

/** The same for a stored message; '' if it has no text. */
export function storedExcerpt(message: MessageData | undefined, limit: number): string {
  const read = message && readUIMessage(message.data);
  return read ? messageExcerpt(read, limit) : '';
}
