import { MessageTooLargeError } from '../engine/errors.ts';
import type { MessageData } from '../engine/graph.ts';
import { MAX_MESSAGE_BYTES } from '../engine/limits.ts';

/**
 * The content of a message and the effects of its turn, as they are stored.
 * @throws MessageTooLargeError
 */
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
