import { z } from 'zod';
import { isTextPart, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { INSTRUCTIONS_PART } from '../attachments/addedParts.ts';

/** What a message keeps of a file of instructions that went along with it; its text stands behind it. */
const sentInstructions = z.object({
  path: z.string(),
  uri: z.string(),
  /** How many bytes did not go along. */
  leftOut: z.number().positive().optional(),
});
export type SentInstructions = z.infer<typeof sentInstructions>;

/** What a part says of instructions that went along; undefined for parts of other kinds. */
export function sentInstructionsOf(part: UIMessagePart): SentInstructions | undefined {
  return part.type === INSTRUCTIONS_PART && 'data' in part
    ? sentInstructions.safeParse(part.data).data
    : undefined;
}

/** The instructions that went along with a message, each with what the model was sent. */
export function instructionsIn({
  parts,
}: Pick<UIMessage, 'parts'>): (SentInstructions & { readonly text: string })[] {
  return parts.flatMap((part, at) => {
    const sent = sentInstructionsOf(part);
    const next = parts[at + 1];
    return sent && next && isTextPart(next) ? [{ ...sent, text: next.text }] : [];
  });
}
