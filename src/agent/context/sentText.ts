import type { ModelMessage } from 'ai';
import { z } from 'zod';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { modelMessages } from '../modelMessages.ts';
import { fitSchema } from '../sending/schemas.ts';
import type { AgentTool } from '../tools/tool.ts';

/** What a model would be sent of a message, as text. */
export interface SentText {
  readonly text: string;
  /** Pictures and other files that go along; how many tokens they take is for their provider to say. */
  readonly files: number;
}

/** What a model would be sent of a message: its text, and the calls of tools with what they answered. */
export function sentText(message: UIMessage): SentText {
  const parts = modelMessages([message]).flatMap(partsOf);
  return {
    text: parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n\n'),
    files: parts.filter(({ text }) => text === undefined).length,
  };
}

/** What a model is sent of its tools: names, descriptions, and what they take, in the form most servers get it. */
export function toolsText(tools: readonly AgentTool[]): string {
  return tools
    .map(({ name, description, input }) => {
      const written = fitSchema(inputSchema(input), 'openaiChat');
      return JSON.stringify({
        ...{ name, description },
        inputSchema: 'schema' in written ? written.schema : {},
      });
    })
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
