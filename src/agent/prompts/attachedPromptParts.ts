import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { addedText, PROMPT_PART } from '../attachments/addedParts.ts';
import type { AttachedPrompt } from '../attachments/attachedPrompt.ts';
import { reminderText } from '../attachments/reminderText.ts';

/** A file that a prompt names, as it is sent. */
export interface PromptLink {
  readonly path: string;
  readonly text: string;
}

/**
 * A prompt as parts of the question it was run with.
 * @param body with its variables filled in
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

/** How much of a prompt is sent to the model, in UTF-16 units. */
const MAX_BODY = 100_000;
