import type { MessageData } from '../engine/graph.ts';
import { readUIMessage, type UIMessage } from '../engine/uiMessage.ts';

/** Whether a stored message says what one of the same id does; else that one was a draft of it. */
export function isStoredAs(
  { data }: Pick<MessageData, 'data'>,
  { parts }: Pick<UIMessage, 'parts'>,
): boolean {
  return JSON.stringify(readUIMessage(data)?.parts) === JSON.stringify(parts);
}
