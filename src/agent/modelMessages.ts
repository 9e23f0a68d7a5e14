import type { FilePart, ModelMessage, TextPart } from 'ai';
import {
  isTextPart,
  textOf,
  type FilePart as UIFilePart,
  type UIMessage,
  type UIMessagePart,
} from '../engine/uiMessage.ts';

/**
 * Decides what the model sees of a path, and nothing else does. Left out: answers that brought no text (they failed or
 * were stopped at once), the model's own reasoning, and files that lie elsewhere, for a conversation must not make this
 * machine fetch addresses.
 */
export function modelMessages(path: readonly UIMessage[]): ModelMessage[] {
  return path.flatMap((message): ModelMessage[] => {
    switch (message.role) {
      case 'system':
        return textOf(message) === '' ? [] : [{ role: 'system', content: textOf(message) }];
      case 'user': {
        const content = message.parts.flatMap(userPart);
        return content.length === 0 ? [] : [{ role: 'user', content }];
      }
      case 'assistant': {
        const content = message.parts.filter(hasText).map(({ text }): TextPart => ({ type: 'text', text }));
        return content.length === 0 ? [] : [{ role: 'assistant', content }];
      }
    }
  });
}

function hasText(part: UIMessagePart): part is { type: 'text'; text: string } {
  return isTextPart(part) && part.text !== '';
}

function userPart(part: UIMessagePart): (TextPart | FilePart)[] {
  if (hasText(part)) return [{ type: 'text', text: part.text }];
  if (!isEmbeddedFile(part)) return [];
  const { mediaType, filename } = part;
  const data = { type: 'url', url: new URL(part.url) } as const;
  return [{ type: 'file', mediaType, data, ...(filename === undefined ? {} : { filename }) }];
}

function isEmbeddedFile(part: UIMessagePart): part is UIFilePart {
  return (
    part.type === 'file' &&
    'mediaType' in part &&
    typeof part.mediaType === 'string' &&
    'url' in part &&
    typeof part.url === 'string' &&
    part.url.startsWith('data:')
  );
}
