import type { MessageData } from '../../engine/graph.ts';
import {
  isReasoningPart,
  isTextPart,
  readUIMessage,
  stripReminders,
  type UIMessagePart,
} from '../../engine/uiMessage.ts';
import { isNoticeMessage } from '../../engine/pathSummary.ts';
import { inertMarkdown } from '../../importExport/inertMarkdown.ts';
import { messageAsMarkdown, shownText } from '../../importExport/messageMarkdown.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { quoted, timeText } from './shownText.ts';

/** How much of a message is shown in a list, and how much when it is read alone, in UTF-16 units. */
const AMONG_OTHERS = 6_000;
const ALONE = 20_000;

/** More parts than an answer has. */
const MAX_PARTS = 300;

/**
 * A message for a model, with tool calls as one line each. Reasoning, tool results and attachments that are only for
 * the model are omitted. Nothing in it can end the block or begin another one.
 */
export function messageBlock(message: MessageData, checkpoints: readonly string[]): string {
  const { text, isCut } = withoutHeading(message);
  const marks = checkpoints.map((name) => ` checkpoint=${quoted(name)}`).join('');
  const length = shownText(message).length;
  return [
    `<message id=${quoted(message.id)} role=${quoted(roleOf(message))} at="${timeText(message.createdAt)}"${marks}>`,
    ...(text === '' ? [] : [text]),
    ...(isCut ? [`[${length} characters. To read all: message ${quoted(message.id)} with part 1.]`] : []),
    '</message>',
  ].join('\n');
}

/** One part of a long message; undefined when it has no such part. @param part from 1 */
export function messagePart(message: MessageData, part: number): string | undefined {
  const text = shownText(message);
  const parts = Math.max(1, Math.ceil(text.length / ALONE));
  if (part > parts) return undefined;
  const slice = text.slice((part - 1) * ALONE, part * ALONE).toWellFormed();
  return [
    `<message id=${quoted(message.id)} role=${quoted(roleOf(message))} part="${part} of ${parts}">`,
    enclosed(inertMarkdown(slice)),
    '</message>',
  ].join('\n');
}

function roleOf({ name }: MessageData): string {
  return name.slice(0, 40);
}

function withoutHeading(message: MessageData): { readonly text: string; readonly isCut: boolean } {
  const { short, isCut } = shortened(message);
  const lines = messageAsMarkdown(short).split('\n');
  // The author is already in the block's header; the heading of a summary or a note is not.
  const isNamed = /^### (?:You|Assistant)$/u.test(lines[0] ?? '');
  return {
    text: enclosed(
      lines
        .slice(isNamed ? 1 : 0)
        .join('\n')
        .trim(),
    ),
    isCut,
  };
}

/** Neutralizes text that would end the block or begin one. */
function enclosed(text: string): string {
  return withHiddenSpelledOut(text).replaceAll(/<(?=\s*\/?\s*message\b)/giu, '&lt;');
}

/** Only the part that is shown is read as Markdown. */
function shortened(message: MessageData): { readonly short: MessageData; readonly isCut: boolean } {
  const { data } = message;
  const read = message.type === 'internal' ? undefined : readUIMessage(data);
  // The text of a summary is stored next to its parts.
  if (!read || isNoticeMessage(read)) {
    const whole = shownText(message);
    const isCut = whole.length > AMONG_OTHERS;
    return {
      short: isCut ? { ...message, data: whole.slice(0, AMONG_OTHERS).toWellFormed() } : message,
      isCut,
    };
  }
  let room = AMONG_OTHERS;
  let isCut = false;
  const parts = stripReminders(read)
    .parts.filter((part) => !isReasoningPart(part))
    .slice(0, MAX_PARTS)
    .flatMap((part): UIMessagePart[] => {
      if (!isTextPart(part)) return [part];
      const text = part.text.slice(0, room).toWellFormed();
      room -= text.length;
      isCut ||= text.length < part.text.length;
      return text === '' ? [] : [{ ...part, text }];
    });
  // The input was JSON, and parts were only removed.
  return { short: { ...message, data: { ...read, parts } as unknown as MessageData['data'] }, isCut };
}
