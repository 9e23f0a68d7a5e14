import { z } from 'zod';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { chatMode } from '../chatMode.ts';
import { addedText, PROMPT_PART } from './addedParts.ts';
import { reminderText } from './reminderText.ts';

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

/** A file that a prompt names, as it goes along. */
export interface PromptLink {
  readonly path: string;
  readonly text: string;
}

/**
 * A prompt as parts of the question it was run with.
 * @param body with the values of its variables
 */
export function attachedPromptParts(
  prompt: Omit<AttachedPrompt, 'files' | 'leftOut'>,
  body: string,
  links: readonly PromptLink[],
): UIMessagePart[] {
  const shown = body.slice(0, MAX_BODY).toWellFormed();
  const leftOut = body.length - shown.length;
  const data: AttachedPrompt = {
    ...prompt,
    ...(links.length > 0 ? { files: links.map(({ path }) => path) } : {}),
    ...(leftOut > 0 ? { leftOut } : {}),
  };
  const note = leftOut > 0 ? `\n[${leftOut} more characters were left out.]` : '';
  return [
    { type: PROMPT_PART, data },
    addedText(
      'prompt',
      `[The user runs the prompt file ${prompt.path}. This is what they ask:]\n\n${shown}${note}`,
    ),
    ...links.map(({ path, text }) => {
      return addedText('prompt', reminderText(`${path}, which the prompt names`, text).text);
    }),
  ];
}

/** How much of a prompt goes to the model, in UTF-16 units. */
const MAX_BODY = 100_000;

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
