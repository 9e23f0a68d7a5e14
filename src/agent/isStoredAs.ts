import type { MessageData } from '../engine/graph.ts';
import { readUIMessage, type UIMessage } from '../engine/uiMessage.ts';

/** Whether a stored message has the same content as one with the same id; else that one was a draft of it. */
export function isStoredAs(
  { data }: Pick<MessageData, 'data'>,
  { parts }: Pick<UIMessage, 'parts'>,
): boolean {
  return JSON.stringify(readUIMessage(data)?.parts) === JSON.stringify(parts);
}
