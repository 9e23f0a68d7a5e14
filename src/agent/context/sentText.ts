import type { ModelMessage } from 'ai';
import { isToolPart, type FilePart, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { hashOfFile, pdfFacts } from '../../models/messages/messageFiles.ts';
import { modelMessages } from './modelMessages.ts';
import { toolFilesOf } from '../../models/messages/toolFiles.ts';
import { inputSchema } from '../tools/inputSchema.ts';
import type { AgentTool } from '../tools/tool.ts';

export interface SentText {
  readonly text: string;
  /** Pictures and other files that are sent; only their provider knows their token count. */
  readonly files: number;
  /** In the PDFs that are sent, if they could be counted. */
  readonly pages: number;
}

/** The assumed tokens of a PDF page, text and picture together: providers name 560 to 3,000. */
export const PDF_PAGE_TOKENS = 1_500;

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
