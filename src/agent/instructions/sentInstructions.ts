import { z } from 'zod';
import { isTextPart, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { INSTRUCTIONS_PART } from '../attachments/addedParts.ts';

/** What a message keeps of an instructions file that was sent with it; the text follows it. */
const sentInstructions = z.object({
  path: z.string(),
  uri: z.string(),
  /** How many bytes were omitted. */
  leftOut: z.number().positive().optional(),
});
export type SentInstructions = z.infer<typeof sentInstructions>;

/** What a part records about instructions that were sent; undefined for other kinds of parts. */
export function sentInstructionsOf(part: UIMessagePart): SentInstructions | undefined {
  return part.type === INSTRUCTIONS_PART && 'data' in part
    ? sentInstructions.safeParse(part.data).data
    : undefined;
}

/** The instructions that were sent with a message, each with the text for the model. */
export function instructionsIn({
  parts,
}: Pick<UIMessage, 'parts'>): (SentInstructions & { readonly text: string })[] {
  return parts.flatMap((part, at) => {
    const sent = sentInstructionsOf(part);
    const next = parts[at + 1];
    return sent && next && isTextPart(next) ? [{ ...sent, text: next.text }] : [];
  });
}
