import { plainText } from '../../agent/plainText.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { oneLine } from '../ui/oneLine.ts';

/** The words a message begins with, in one line of at most `limit` characters, as lists name it. */
export function messageExcerpt(message: UIMessage, limit: number): string {
  return oneLine(plainText(message), limit);
}

/** The same of a message as it is stored; '' where nobody said anything. */
export function storedExcerpt(message: MessageData | undefined, limit: number): string {
  const read = message && readUIMessage(message.data);
  return read ? messageExcerpt(read, limit) : '';
}
