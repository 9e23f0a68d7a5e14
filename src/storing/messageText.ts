import type { MessageData } from '../engine/graph.ts';
import { readUIMessage, textOf } from '../engine/uiMessage.ts';
import { indexedText } from './searchText.ts';

/** What a user reads of a message: what search finds and graphs show. */
export function visibleText({ data, type }: Pick<MessageData, 'data' | 'type'>): string {
  if (type === 'internal') return '';
  if (typeof data === 'string') return data;
  const read = readUIMessage(data);
  return read ? textOf(read) : '';
}

/**
 * The text of a stored message as the index gets it; '' for one without. To take words out of the index again, it has to
 * give what it gave when they were put in: whoever changes it builds the index anew in a migration.
 */
export function indexedMessageText(type: unknown, data: unknown): string {
  if (typeof data !== 'string' || type === 'internal') return '';
  const read = parsed(data);
  return read === undefined ? '' : indexedText(visibleText({ type: 'message', data: read }));
}

/** Undefined when it was damaged after it had been written; the path that leads to it says so. */
function parsed(data: string): MessageData['data'] | undefined {
  try {
    // JSON.parse gives nothing but JSON; whether it is a message is checked as it is read.
    return JSON.parse(data) as MessageData['data'];
  } catch {
    return undefined;
  }
}
