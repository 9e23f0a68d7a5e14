import { z } from 'zod';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { reminderText } from './reminderText.ts';

const PART = 'data-attached-context';

/** What a message keeps of something else than a file that was given with it. */
const attachedContext = z.object({
  of: z.enum(['folder', 'problems', 'changes', 'text']),
  /** The path of a folder, what a text is called; empty where there is one only. */
  name: z.string(),
  /** A text that cannot be read again from anywhere. */
  text: z.string().optional(),
  /** How many UTF-16 units did not go along. */
  leftOut: z.int().positive().optional(),
});
export type AttachedContext = z.infer<typeof attachedContext>;

/**
 * Something of the workspace as parts of a question: what is shown of it, and its text for the model.
 * @param about what it is, in English
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

/** What a part says of it; undefined for parts of other kinds. */
export function attachedContextOf(part: UIMessagePart): AttachedContext | undefined {
  return part.type === PART && 'data' in part ? attachedContext.safeParse(part.data).data : undefined;
}
