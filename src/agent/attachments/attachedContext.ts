import { z } from 'zod';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { reminderText } from './reminderText.ts';

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

/**
 * A workspace item as parts of a question: what is shown of it, and its text for the model.
 * @param about a description of it, in English
 */
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
