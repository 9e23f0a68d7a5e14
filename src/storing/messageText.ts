import type { MessageData } from '../engine/graph.ts';
import { readUIMessage, textOf } from '../engine/uiMessage.ts';
import { indexedText } from './searchText.ts';

/** The text of a message as a user reads it, for search and graphs. */
export function visibleText({ data, type }: Pick<MessageData, 'data' | 'type'>): string {
  if (type === 'internal') return '';
  if (typeof data === 'string') return data;
  const read = readUIMessage(data);
  return read ? textOf(read) : '';
}

/**
 * The text of a stored message for the index; '' for one without text. To remove words from the index again, this
 * must return the same text as when they were added: a change requires rebuilding the index in a migration.
 */
export function indexedMessageText(type: unknown, data: unknown): string {
  if (typeof data !== 'string' || type === 'internal') return '';
  const read = parsed(data);
  return read === undefined ? '' : indexedText(visibleText({ type: 'message', data: read }));
}

/** Undefined when it was damaged after it was written; reading the path to it reports that. */
function parsed(data: string): MessageData['data'] | undefined {
  try {
    // JSON.parse returns only JSON values; whether it is a message is checked as it is read.
    return JSON.parse(data) as MessageData['data'];
  } catch {
    return undefined;
  }
}
