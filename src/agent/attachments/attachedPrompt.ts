import { z } from 'zod';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { chatMode } from '../chatMode.ts';
import { PROMPT_PART } from './addedParts.ts';

/** What a message keeps of the prompt file that was run with it; the text for the model is a separate part. */
const attachedPrompt = z.object({
  name: z.string(),
  /** The path as the user names it. */
  path: z.string(),
  /** For this question; undefined: the selected mode. */
  mode: chatMode.optional(),
  /** The only tools this question may use, by name. */
  tools: z.array(z.string()).optional(),
  /** The id of the model that answers; undefined: the selected one. */
  model: z.string().optional(),
  /** Files it names that were sent along. */
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

/** The prompt that was run with these parts of a question. */
export function promptOf(parts: readonly UIMessagePart[]): AttachedPrompt | undefined {
  for (const part of parts) {
    const prompt = attachedPromptOf(part);
    if (prompt) return prompt;
  }
  return undefined;
}
