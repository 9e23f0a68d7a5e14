import { isTextPart, type UIMessage } from '../engine/uiMessage.ts';

/** True if the answer has no word, no reasoning and no call. */
export function isWordless({ parts }: Pick<UIMessage, 'parts'>): boolean {
  return parts.every((part) => part.type === 'step-start' || (isTextPart(part) && part.text.trim() === ''));
}
