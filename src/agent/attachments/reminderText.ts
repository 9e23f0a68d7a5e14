import type { UIMessagePart } from '../../engine/uiMessage.ts';

/** How much of one thing goes to the model, in UTF-16 units. */
export const MAX_REMINDER = 60_000;

/** What goes to the model of something the user gave with a question, and is not said by them. */
export interface ReminderText {
  readonly part: UIMessagePart;
  /** What the part says. */
  readonly text: string;
  /** How many UTF-16 units did not go along. */
  readonly leftOut: number;
}

/**
 * Something the user attached, as a part that the model alone reads.
 * @param about what it is, in English
 */
export function reminderText(about: string, given: string): ReminderText {
  const shown = given.slice(0, MAX_REMINDER).toWellFormed();
  const leftOut = given.length - shown.length;
  const note = leftOut > 0 ? `\n[${leftOut} more characters were left out.]` : '';
  const fence = fenceFor(shown);
  const text = `[The user attached ${about}:]\n${fence}\n${shown}\n${fence}${note}`;
  return {
    part: { type: 'text', text, providerMetadata: { offshoot: { reminder: true } } },
    text,
    leftOut,
  };
}

/** Longer than any in the text, so that the text cannot end it. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/gu) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  return '`'.repeat(longest + 1);
}
