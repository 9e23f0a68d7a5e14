import { plainText } from '../../agent/context/plainText.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { oneLine } from '../ui/shownName.ts';

/** One line of at most `limit` characters. */
export function messageExcerpt(message: UIMessage, limit: number): string {
  return oneLine(plainText(message), limit);
}

/** '' if it has no text. */
export function storedExcerpt(message: MessageData | undefined, limit: number): string {
  const read = message && readUIMessage(message.data);
  return read ? messageExcerpt(read, limit) : '';
}
