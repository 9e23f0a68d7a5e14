import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import { indexedText } from './searchText.ts';
import { MessageTooLargeError } from '../../engine/errors.ts';
import { MAX_MESSAGE_BYTES } from '../../engine/limits.ts';

/** As a user reads it, for search and graphs. */
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

/** In UTF-16 units. */
const MAX_EXCERPT = 200;

/** On one line, with no half surrogate pair at the end. */
export function excerptOf(whole: string): string {
  // Only the beginning of a long text is needed, and removing white space makes it no longer.
  const line = whole
    .slice(0, MAX_EXCERPT * 10)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return whole.length <= MAX_EXCERPT * 10 ? beginningOf(line) : cutOff(line);
}

/** The beginning of a text with its lines as they are; one that fits is unchanged. */
export function beginningOf(whole: string): string {
  return whole.length <= MAX_EXCERPT ? whole : cutOff(whole);
}

function cutOff(text: string): string {
  const last = text.charCodeAt(MAX_EXCERPT - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? MAX_EXCERPT - 2 : MAX_EXCERPT - 1;
  // Joining copies it; a slice would keep the whole text in memory.
  return [text.slice(0, end), '…'].join('');
}

/** @throws MessageTooLargeError */
export function messageJson(message: {
  readonly id: string;
  readonly data: MessageData['data'];
  readonly effects: object | undefined;
}): readonly [data: string, effects: string | null] {
  try {
    const data = JSON.stringify(message.data);
    const effects = message.effects ? JSON.stringify(message.effects) : null;
    if (utf8Length(data) + utf8Length(effects ?? '') <= MAX_MESSAGE_BYTES) return [data, effects];
  } catch (error) {
    // JSON too long for a string throws a RangeError.
    if (!(error instanceof RangeError)) throw error;
  }
  throw new MessageTooLargeError(message.id);
}

/** In bytes; counted only if the limit could be exceeded. */
function utf8Length(text: string): number {
  const isSmall = text.length * 3 <= MAX_MESSAGE_BYTES / 2;
  const isLarge = text.length > MAX_MESSAGE_BYTES;
  return isSmall || isLarge ? text.length : new TextEncoder().encode(text).byteLength;
}
