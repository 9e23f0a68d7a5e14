import { z } from 'zod';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { chatMode } from '../chatMode.ts';
import { PROMPT_PART } from './addedParts.ts';

/** What a message keeps of the prompt file that was run with it; its text stands beside it, for the model alone. */
const attachedPrompt = z.object({
  name: z.string(),
  /** As the user names the file. */
  path: z.string(),
  /** For this question; undefined: the one that is selected. */
  mode: chatMode.optional(),
  /** The names of tools that this question has at most. */
  tools: z.array(z.string()).optional(),
  /** The id of the model that answers it; undefined: the one that is selected. */
  model: z.string().optional(),
  /** Files it names that went along. */
  files: z.array(z.string()).optional(),
  /** What it asks for and is not there: tools, a mode, models, files. */
  missing: z.array(z.string()).optional(),
  /** How many UTF-16 units did not go along. */
  leftOut: z.int().positive().optional(),
});
export type AttachedPrompt = z.infer<typeof attachedPrompt>;

/** What a part says of a prompt; undefined for parts of other kinds. */
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
