import type { ResolvedContext } from './contextEngineTypes.ts';
import type { ConversationView } from './conversationPath.ts';
import { copyJson } from './copyJson.ts';
import { sinceTask } from './explorationTask.ts';
import { isReasoningPart, isTextPart, withContent, type UIMessage, type UIMessagePart } from './uiMessage.ts';

/**
 * What a model is sent. The saved messages are the engine's own and never change, so they are collected and copied only
 * for whoever looks at them: following a path of many thousands costs nothing then.
 * @param pending of the caller's fragments, which may change at any moment
 */
export function resolvedContext(
  systemPrompt: string,
  saved: Pick<ConversationView, 'messages'>,
  pending: readonly UIMessage[],
): ResolvedContext {
  const waiting = copyJson(pending);
  let messages: ResolvedContext['messages'] | undefined;
  return {
    systemPrompt,
    get messages() {
      messages ??= [...sinceTask(saved.messages).map((message) => copyJson(message)), ...waiting]
        .filter((message) => !isEmptyAnswer(message))
        .map(withContent);
      return messages;
    },
    set messages(given) {
      messages = given;
    },
  };
}

/** True for an answer that was cut off before it said, did or showed anything: no provider takes one back. */
export function isEmptyAnswer({ role, parts }: Pick<UIMessage, 'role' | 'parts'>): boolean {
  return role === 'assistant' && parts.every(isSilent);
}

function isSilent(part: UIMessagePart): boolean {
  if (isTextPart(part)) return part.text.trim() === '';
  return isReasoningPart(part) || part.type === 'step-start' || /^(?:data|source)-/.test(part.type);
}
