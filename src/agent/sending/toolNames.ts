import { isCall, isResult, type TalkMessage } from './prompt.ts';
import type { Target } from './target.ts';

/** The tool names every provider accepts; Gemini requires it to begin like an identifier. */
const accepted = /^[a-zA-Z0-9_-]{1,64}$/u;
const acceptedByGoogle = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/u;

/** The longest name that is sent. */
const LENGTH = 64;

/** True if the target accepts the name for a tool. */
export function isToolName(name: string, { dialect }: Target): boolean {
  return (dialect === 'google' ? acceptedByGoogle : accepted).test(name);
}

/** Rewrites call names that the target does not accept: models also call tools that do not exist. */
export function fitToolNames(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  return messages.map((message): TalkMessage => {
    switch (message.role) {
      case 'user':
        return message;
      case 'assistant':
        return {
          ...message,
          content: message.content.map((part) =>
            isCall(part) ? { ...part, toolName: fitName(part.toolName, target) } : part,
          ),
        };
      case 'tool':
        return {
          ...message,
          content: message.content.map((part) =>
            isResult(part) ? { ...part, toolName: fitName(part.toolName, target) } : part,
          ),
        };
    }
  });
}

function fitName(name: string, target: Target): string {
  if (isToolName(name, target)) return name;
  const cleaned = name.replace(/[^a-zA-Z0-9_-]+/gu, '_').slice(0, LENGTH);
  if (isToolName(cleaned, target)) return cleaned;
  return cleaned === '' ? 'unnamed_tool' : `_${cleaned}`.slice(0, LENGTH);
}
