import type { UIMessagePart } from '../../engine/uiMessage.ts';

/** How much of one attachment is sent to the model, in UTF-16 units. */
export const MAX_REMINDER = 60_000;

/** The text the model gets for an attachment, separate from the user's own words. */
export interface ReminderText {
  readonly part: UIMessagePart;
  /** The text of the part. */
  readonly text: string;
  /** How many UTF-16 units were omitted. */
  readonly leftOut: number;
}

/**
 * An attachment of the user as a part that only the model reads.
 * @param about a description of it, in English
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

/** Longer than any fence in the text, so that the text cannot close it. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/gu) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  return '`'.repeat(longest + 1);
}
