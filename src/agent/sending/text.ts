import type { AssistantPart, ResultOutput, TalkMessage, UserPart } from './prompt.ts';
import type { Target } from './target.ts';

/** Replaces an empty tool result: some providers refuse one. */
const NO_OUTPUT = '(no output)';

/**
 * Drops text that is only white space, and repairs characters that were cut in two: both are refused. Reasoning
 * without a word may stay, because its provider's metadata must be sent back.
 */
export function fitText(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  return messages.map((message): TalkMessage => {
    switch (message.role) {
      case 'user':
        return { ...message, content: message.content.filter(hasText).map(mended) };
      case 'assistant':
        return {
          ...message,
          content: message.content.filter((part) => hasText(part) || isItem(part, target)).map(mended),
        };
      case 'tool':
        return {
          ...message,
          content: message.content.map((part) =>
            part.type === 'tool-result' ? { ...part, output: fitOutput(part.output) } : part,
          ),
        };
    }
  });
}

/** OpenAI requires each of its own items back after the reasoning it followed, blank or not. */
function isItem({ providerOptions }: AssistantPart, { dialect }: Target): boolean {
  return dialect === 'openaiResponses' && providerOptions?.['openai']?.['itemId'] !== undefined;
}

function hasText(part: UserPart | AssistantPart): boolean {
  return part.type !== 'text' || part.text.trim() !== '';
}

function mended<P extends UserPart | AssistantPart>(part: P): P {
  if ((part.type !== 'text' && part.type !== 'reasoning') || part.text.isWellFormed()) return part;
  return { ...part, text: part.text.toWellFormed() };
}

function fitOutput(output: ResultOutput): ResultOutput {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: output.value.trim() === '' ? NO_OUTPUT : output.value.toWellFormed() };
    case 'content': {
      // A file is content even without text.
      const value = output.value.filter((item) => item.type !== 'text' || item.text.trim() !== '');
      if (value.length === 0) return { type: 'text', value: NO_OUTPUT };
      return {
        ...output,
        value: value.map((item) =>
          item.type === 'text' ? { ...item, text: item.text.toWellFormed() } : item,
        ),
      };
    }
    default:
      return output;
  }
}
