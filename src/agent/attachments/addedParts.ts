import { isTextPart, type UIMessagePart } from '../../engine/uiMessage.ts';

/** What a question gets besides what its user attached: by a prompt file, or as instructions of the project. */
export type AddedBy = 'prompt' | 'instructions';

/** A text for the model alone that nobody attached. */
export function addedText(by: AddedBy, text: string): UIMessagePart {
  return { type: 'text', text, providerMetadata: { offshoot: { reminder: true, added: by } } };
}

/** What added a part; undefined for what the user said or attached. */
export function addedBy(part: UIMessagePart): AddedBy | undefined {
  if (part.type === PROMPT_PART) return 'prompt';
  if (part.type === INSTRUCTIONS_PART) return 'instructions';
  if (!isTextPart(part)) return undefined;
  const by = part.providerMetadata?.['offshoot']?.['added'];
  return by === 'prompt' || by === 'instructions' ? by : undefined;
}

/** What a message keeps of a prompt that was run with it. */
export const PROMPT_PART = 'data-prompt';

/** What a message keeps of a file of instructions that went along. */
export const INSTRUCTIONS_PART = 'data-instructions';
