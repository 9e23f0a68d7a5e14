import { isTextPart, type UIMessagePart, type UIMessage } from '../../engine/uiMessage.ts';
import { z } from 'zod';
import { chatMode } from '../run/chatMode.ts';

/** What is added to a question besides the user's attachments: by a prompt file, or as project instructions. */
export type AddedBy = 'prompt' | 'instructions';

/** A text only for the model, not from the user. */
export function addedText(by: AddedBy, text: string): UIMessagePart {
  return { type: 'text', text, providerMetadata: { offshoot: { reminder: true, added: by } } };
}

/** What added a part; undefined for the user's own text and attachments. */
export function addedBy(part: UIMessagePart): AddedBy | undefined {
  if (part.type === PROMPT_PART) return 'prompt';
  if (part.type === INSTRUCTIONS_PART) return 'instructions';
  if (!isTextPart(part)) return undefined;
  const by = part.providerMetadata?.['offshoot']?.['added'];
  return by === 'prompt' || by === 'instructions' ? by : undefined;
}

export const PROMPT_PART = 'data-prompt';

export const INSTRUCTIONS_PART = 'data-instructions';

/** What a message keeps of an instructions file that was sent with it; the text follows it. */
const sentInstructions = z.object({
  path: z.string(),
  uri: z.string(),
  /** Why it applies, read where it is shown; earlier versions did not keep it. */
  because: z.unknown(),
  /** In bytes. */
  leftOut: z.number().positive().optional(),
});
export type SentInstructions = z.infer<typeof sentInstructions>;

/** What a part records about instructions that were sent; undefined for other kinds of parts. */
export function sentInstructionsOf(part: UIMessagePart): SentInstructions | undefined {
  return part.type === INSTRUCTIONS_PART && 'data' in part
    ? sentInstructions.safeParse(part.data).data
    : undefined;
}

export function instructionsIn({
  parts,
}: Pick<UIMessage, 'parts'>): (SentInstructions & { readonly text: string })[] {
  return parts.flatMap((part, at) => {
    const sent = sentInstructionsOf(part);
    const next = parts[at + 1];
    return sent && next && isTextPart(next) ? [{ ...sent, text: next.text }] : [];
  });
}

/** What a message keeps of the prompt file that was run with it; the text for the model is a separate part. */
const attachedPrompt = z.object({
  name: z.string(),
  path: z.string(),
  /** For this question; undefined: the selected mode. */
  mode: chatMode.optional(),
  /** The only tools this question may use, by name. */
  tools: z.array(z.string()).optional(),
  /** The id of the model that answers; undefined: the selected one. */
  model: z.string().optional(),
  files: z.array(z.string()).optional(),
  /** What it asks for that is not available: tools, a mode, models, files. */
  missing: z.array(z.string()).optional(),
  /** How many UTF-16 units were omitted. */
  leftOut: z.int().positive().optional(),
});
export type AttachedPrompt = z.infer<typeof attachedPrompt>;

/** What a part records about a prompt; undefined for other kinds of parts. */
export function attachedPromptOf(part: UIMessagePart): AttachedPrompt | undefined {
  return part.type === PROMPT_PART && 'data' in part ? attachedPrompt.safeParse(part.data).data : undefined;
}

export function promptOf(parts: readonly UIMessagePart[]): AttachedPrompt | undefined {
  for (const part of parts) {
    const prompt = attachedPromptOf(part);
    if (prompt) return prompt;
  }
  return undefined;
}
