import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { readDataUrl } from '../../../base/dataUrl.ts';
import { toBase64 } from '../../../engine/bytes.ts';
import { JSONParseError } from 'ai';

/** A message in the form of https://docs.ollama.com/api/chat */
export interface OllamaMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly thinking?: string;
  /** In base64. */
  readonly images?: readonly string[];
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: object };
  }[];
  readonly tool_name?: string;
}

export function ollamaMessages(prompt: LanguageModelV4Prompt): OllamaMessage[] {
  return prompt.flatMap((message): OllamaMessage[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: message.content }];
      case 'user':
        return [userMessage(message.content)];
      case 'assistant':
        return [assistantMessage(message.content)];
      case 'tool':
        return message.content.flatMap((part) =>
          part.type === 'tool-result'
            ? [{ role: 'tool', content: resultText(part), tool_name: part.toolName }]
            : [],
        );
    }
  });
}

type Content<R extends string> = Extract<LanguageModelV4Prompt[number], { role: R }>['content'];

function userMessage(content: Content<'user'>): OllamaMessage {
  const images = content.flatMap((part) => (part.type === 'file' ? (imageOf(part) ?? []) : []));
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return { role: 'user', content: text.join('\n\n'), ...(images.length === 0 ? {} : { images }) };
}

function assistantMessage(content: Content<'assistant'>): OllamaMessage {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const thoughts = content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  const calls = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ function: { name: part.toolName, arguments: isObject(part.input) ? part.input : {} } }]
      : [],
  );
  return {
    role: 'assistant',
    content: text.join('\n\n'),
    ...(thoughts.length === 0 ? {} : { thinking: thoughts.join('\n\n') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

type FilePart = Extract<Content<'user'>[number], { type: 'file' }>;

function imageOf({ mediaType, data }: FilePart): string | undefined {
  if (!mediaType.startsWith('image/')) return undefined;
  if (data.type === 'data') return typeof data.data === 'string' ? data.data : toBase64(data.data);
  return data.type === 'url' ? readDataUrl(data.url.href)?.base64 : undefined;
}

function resultText({ output }: LanguageModelV4ToolResultPart): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'execution-denied':
      return output.reason ?? 'The call was not allowed.';
    case 'content':
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One JSON value per line, as they arrive. Leaving the loop closes the connection. @throws JSONParseError */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    const [first = '', ...lines] = text.split('\n');
    rest.push(first);
    for (const next of lines) {
      const line = rest.join('');
      rest = [next];
      if (line.trim() !== '') yield parsed(line);
    }
  }
  const line = rest.join('') + decoder.decode();
  if (line.trim() !== '') yield parsed(line);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JSONParseError({ text: text.slice(0, 100), cause });
  }
}
