import { plainText } from '../../agent/plainText.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { oneLine } from '../ui/oneLine.ts';

/** The words a message begins with, in one line of at most `limit` characters, as lists name it. */
export function messageExcerpt(message: UIMessage, limit: number): string {
  return oneLine(plainText(message), limit);
}
