import { isTextPart, type UIMessagePart } from '../../engine/uiMessage.ts';

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

/** The part type for a prompt that was run with a message. */
export const PROMPT_PART = 'data-prompt';

/** The part type for an instructions file that was sent with a message. */
export const INSTRUCTIONS_PART = 'data-instructions';
