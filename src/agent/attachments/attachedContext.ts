import { z } from 'zod';
import { codeFence } from '../../base/codeFence.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';

const PART = 'data-attached-context';

/** What a message keeps of an attachment that is not a file. */
const attachedContext = z.object({
  of: z.enum(['folder', 'problems', 'changes', 'text']),
  /** The path of a folder or the name of a text; empty where there is only one. */
  name: z.string(),
  /** A text that cannot be read again from a source. */
  text: z.string().optional(),
  /** How many UTF-16 units were omitted. */
  leftOut: z.int().positive().optional(),
});
export type AttachedContext = z.infer<typeof attachedContext>;

/** A workspace item as parts of a question: one to show, one for the model. @param about in English */
export function attachedContextParts(
  context: Omit<AttachedContext, 'leftOut'>,
  about: string,
  text: string,
): UIMessagePart[] {
  const { part, leftOut } = reminderText(about, text);
  const data: AttachedContext = { ...context, ...(leftOut > 0 ? { leftOut } : {}) };
  return [{ type: PART, data }, part];
}

/** What a part records about its attachment; undefined for other kinds of parts. */
export function attachedContextOf(part: UIMessagePart): AttachedContext | undefined {
  return part.type === PART && 'data' in part ? attachedContext.safeParse(part.data).data : undefined;
}

/** How much of one attachment is sent to the model, in UTF-16 units. */
export const MAX_REMINDER = 60_000;

interface ReminderText {
  readonly part: UIMessagePart;
  readonly text: string;
  /** How many UTF-16 units were omitted. */
  readonly leftOut: number;
}

/** An attachment as a part that only the model reads. @param about a description of it, in English */
export function reminderText(about: string, given: string): ReminderText {
  const shown = given.slice(0, MAX_REMINDER).toWellFormed();
  const leftOut = given.length - shown.length;
  const note = leftOut > 0 ? `\n[${leftOut} more characters were left out.]` : '';
  const fence = codeFence(shown);
  const text = `[The user attached ${about}:]\n${fence}\n${shown}\n${fence}${note}`;
  return {
    part: { type: 'text', text, providerMetadata: { offshoot: { reminder: true } } },
    text,
    leftOut,
  };
}
