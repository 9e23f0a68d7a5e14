import type { ResolvedContext } from './contextEngineTypes.ts';
import { copyJson } from './copyJson.ts';
import { isReasoningPart, isTextPart, withContent, type UIMessage, type UIMessagePart } from './uiMessage.ts';

/**
 * What a model is sent. The saved messages belong to the engine and never change, so they are collected and copied
 * only when they are accessed: until then, following a path of many thousands costs nothing.
 * @param pending from the caller's fragments, which may change at any moment
 */
export function resolvedContext(
  systemPrompt: string,
  saved: () => readonly UIMessage[],
  pending: readonly UIMessage[],
): ResolvedContext {
  const waiting = copyJson(pending);
  let messages: ResolvedContext['messages'] | undefined;
  return {
    systemPrompt,
    get messages() {
      messages ??= [...saved().map((message) => copyJson(message)), ...waiting]
        .filter((message) => !isEmptyAnswer(message))
        .map(withContent);
      return messages;
    },
    set messages(given) {
      messages = given;
    },
  };
}

/** True for an answer that was cut off before any content: no provider accepts one back. */
export function isEmptyAnswer({ role, parts }: Pick<UIMessage, 'role' | 'parts'>): boolean {
  return role === 'assistant' && parts.every(isSilent);
}

function isSilent(part: UIMessagePart): boolean {
  if (isTextPart(part)) return part.text.trim() === '';
  return isReasoningPart(part) || part.type === 'step-start' || /^(?:data|source)-/.test(part.type);
}
