import { isTextPart, type UIMessage } from '../engine/uiMessage.ts';

/** Not a word of the answer is there, nor a thought or a call. */
export function isWordless({ parts }: Pick<UIMessage, 'parts'>): boolean {
  return parts.every((part) => part.type === 'step-start' || (isTextPart(part) && part.text.trim() === ''));
}
