import type { FromHost } from '../answersConnection.ts';
import type { MessageView } from '../../protocol/views.ts';

export type AnswerDelta = Extract<FromHost, { type: 'answerDelta' }>;
export type AnswerPart = Extract<FromHost, { type: 'answerPart' }>;

/** Inserts a part at its position; undefined when an earlier one is missing. */
export function applyPart(message: MessageView, { partIndex, part }: AnswerPart): MessageView | undefined {
  if (partIndex > message.parts.length) return undefined;
  const isNew = partIndex === message.parts.length;
  return { ...message, parts: isNew ? [...message.parts, part] : message.parts.with(partIndex, part) };
}

/**
 * Appends a delta to an answer. An overlapping delta replaces the rest, so that duplicates are harmless; undefined
 * when an earlier one is missing.
 */
export function applyDelta(
  message: MessageView,
  { partIndex, part, offset }: AnswerDelta,
): MessageView | undefined {
  const before = message.parts[partIndex];
  if (!before) {
    const isNext = partIndex === message.parts.length && offset === 0;
    return isNext ? { ...message, parts: [...message.parts, part] } : undefined;
  }
  if (!('text' in before) || before.type !== part.type || offset > before.text.length) return undefined;
  // The conversation may be newer than a delta in transit.
  if (offset + part.text.length < before.text.length) return message;
  const text = before.text.slice(0, offset) + part.text;
  return { ...message, parts: message.parts.with(partIndex, { ...before, text }) };
}
