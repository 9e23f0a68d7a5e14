import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { withoutEnvironment } from '../messages/environment.ts';

type PromptMessage = LanguageModelV4Prompt[number];

/** How messages begin that the program sends on the user's side: reminders, reports, summaries, notes. */
const NOTICES = [
  /<(?:report goal|summary of)=/u,
  /^<system-reminder>/u,
  /^A note from .*\n+<note>/u,
  /^\[A system message/u,
];

/** What the program adds after the user's text, and sends alone if there is none. */
const ADDITIONS =
  /^\[(?:The user attached|The user runs the prompt file|The project’s instructions|An image,|A PDF,)/u;

/**
 * What the user wrote in a message, without what the program added to it. Empty if they only attached something;
 * undefined if the message is not theirs.
 */
export function questionIn(message: PromptMessage): string | undefined {
  if (message.role !== 'user') return undefined;
  // The user's own text comes first.
  const [first = ''] = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (NOTICES.some((pattern) => pattern.test(first))) return undefined;
  return ADDITIONS.test(first) ? '' : withoutEnvironment(first).trim();
}

/** The questions of a path, first to last. */
export function questionsIn(prompt: LanguageModelV4Prompt): string[] {
  return prompt.flatMap((message) => questionIn(message) ?? []);
}

export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_'’-]+/gu) ?? [];
}

/** At most 80 graphemes, on one line. */
export function clipped(text: string): string {
  const line = text.slice(0, 500).replace(/\s+/gu, ' ').trim();
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : line;
}
