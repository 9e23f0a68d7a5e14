import type { ModelMessage } from 'ai';
import { z } from 'zod';
import { isToolPart, type FilePart, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { hashOfFile, pdfFacts } from '../attachments/messageFiles.ts';
import { modelMessages } from '../modelMessages.ts';
import { toolFilesOf } from '../tools/toolFiles.ts';
import type { AgentTool } from '../tools/tool.ts';

/** What a model would be sent of a message, as text. */
export interface SentText {
  readonly text: string;
  /** Pictures and other files that go along; how many tokens they take is for their provider to say. */
  readonly files: number;
  /** Of the PDFs that go along, as far as they could be counted. */
  readonly pages: number;
}

/** About what a page of a PDF takes, text and picture together: providers name 560 to 3,000. */
export const PDF_PAGE_TOKENS = 1_500;

/** What a model would be sent of a message: its text, and the calls of tools with what they answered. */
export function sentText(message: UIMessage): SentText {
  const parts = modelMessages([message]).flatMap(partsOf);
  const kept = message.parts.flatMap(keptFilesIn);
  const pages = kept.map((part) => pdfFacts(part.providerMetadata).pages);
  return {
    text: parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n\n'),
    files:
      parts.filter(({ text }) => text === undefined).length +
      pages.filter((count) => count === undefined).length,
    pages: pages.reduce<number>((sum, count) => sum + (count ?? 0), 0),
  };
}

/** Files whose bytes are put into the message before it is sent. */
function keptFilesIn(part: UIMessagePart): readonly FilePart[] {
  if (isToolPart(part)) return toolFilesOf(part);
  return part.type === 'file' && hashOfFile(part) !== undefined ? [part] : [];
}

/** What a model is sent of its tools: names, descriptions, and what they take. */
export function toolsText(tools: readonly AgentTool[]): string {
  return tools
    .map(({ name, description, input }) =>
      JSON.stringify({
        name,
        description,
        inputSchema: inputSchema(input),
      }),
    )
    .join('\n');
}

/** The JSON Schema of what a tool takes. */
export function inputSchema(input: AgentTool['input']): object {
  return input instanceof z.ZodType ? z.toJSONSchema(input, { io: 'input' }) : input.jsonSchema;
}

function partsOf({ content }: ModelMessage): { readonly text?: string }[] {
  if (typeof content === 'string') return [{ text: content }];
  return content.map((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return { text: part.text };
      case 'tool-call':
        return { text: `${part.toolName} ${JSON.stringify(part.input)}` };
      case 'tool-result':
        return { text: 'value' in part.output ? asText(part.output.value) : '' };
      default:
        return {};
    }
  });
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
