import { wrapLanguageModel } from 'ai';
import type { OpenedModel } from '../../chatModel.ts';
import { textPart, type PromptMessage } from '../../requests/prompt.ts';

/** Converse refuses a message with a document and no text. */
const SEE_DOCUMENT = '[See the document.]';

/**
 * Numbers the documents of a request: Converse refuses two of one name, also in different turns. The AI SDK makes the
 * rest of each name acceptable.
 */
export function withDocumentNames(model: OpenedModel): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) => {
        let count = 0;
        const next = (name = ''): string => `${(count += 1)} ${name}`;
        return Promise.resolve({ ...params, prompt: params.prompt.map((message) => named(message, next)) });
      },
    },
  });
}

function named(message: PromptMessage, next: (name?: string) => string): PromptMessage {
  switch (message.role) {
    case 'user': {
      const content = message.content.map((part) =>
        isDocument(part) ? { ...part, filename: next(part.filename) } : part,
      );
      const isAlone = content.some(isDocument) && !content.some(({ type }) => type === 'text');
      return { ...message, content: isAlone ? [...content, textPart(SEE_DOCUMENT)] : content };
    }
    case 'tool':
      return {
        ...message,
        content: message.content.map((part) => {
          if (part.type !== 'tool-result' || part.output.type !== 'content') return part;
          const value = part.output.value.map((item) =>
            isDocument(item) ? { ...item, filename: next(item.filename) } : item,
          );
          return { ...part, output: { ...part.output, value } };
        }),
      };
    default:
      return message;
  }
}

function isDocument<P extends { readonly type: string }>(part: P): part is Extract<P, { type: 'file' }> {
  return part.type === 'file' && 'mediaType' in part && !String(part.mediaType).startsWith('image/');
}
