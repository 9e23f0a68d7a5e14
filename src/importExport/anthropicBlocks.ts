import { z } from 'zod';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import type { ImportReport } from './importReport.ts';
import type { ToolCalls } from './toolCalls.ts';

// Message content in the form of Anthropic's API, which several programs store.

const other = z.looseObject({}).transform(() => ({ type: 'other' }) as const);
const picture = z.object({
  type: z.literal('image'),
  source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
});
const spoken = z.object({ type: z.literal('text'), text: z.string() });
const inside = z.union([
  z.string(),
  z.array(z.union([spoken, picture, other])),
  z.undefined().transform(() => ''),
  z.null().transform(() => ''),
]);

const block = z.union([
  spoken,
  picture,
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('redacted_thinking') }),
  z.object({
    type: z.enum(['tool_use', 'server_tool_use']),
    id: z.string(),
    name: z.string(),
    input: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: inside,
    is_error: z.boolean().optional().catch(undefined),
  }),
  z.object({
    type: z.literal('web_search_tool_result'),
    tool_use_id: z.string(),
    content: z.unknown().optional(),
  }),
  other,
]);

/** A text, or its blocks. */
export const anthropicContent = z.union([z.string(), z.array(block)]);
export type AnthropicContent = z.infer<typeof anthropicContent>;

/** The content of a message, without tool results in it. */
export interface ReadContent {
  readonly spoken: readonly UIMessagePart[];
  readonly results: readonly UIMessagePart[];
  /** Pictures from results: an answer has no pictures. */
  readonly shown: readonly UIMessagePart[];
}

/** Reads the content of a message; remembers its calls until their results arrive. */
export function readContent(content: AnthropicContent, calls: ToolCalls, report: ImportReport): ReadContent {
  const parts = {
    spoken: [] as UIMessagePart[],
    results: [] as UIMessagePart[],
    shown: [] as UIMessagePart[],
  };
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  for (const each of blocks) {
    switch (each.type) {
      case 'text':
        if (each.text !== '') parts.spoken.push({ type: 'text', text: each.text });
        break;
      case 'thinking':
        if (each.thinking !== '') parts.spoken.push({ type: 'reasoning', text: each.thinking });
        break;
      case 'redacted_thinking':
        report.add(defineMessage('Reasoning that is encrypted'));
        break;
      case 'image':
        parts.spoken.push(pictureOf(each));
        break;
      case 'tool_use':
      case 'server_tool_use':
        calls.called(each.id, each.name, each.input);
        break;
      case 'tool_result': {
        const { text, pictures } = insideOf(each.content, report);
        parts.results.push(calls.result(each.tool_use_id, text, each.is_error === true));
        parts.shown.push(...pictures);
        break;
      }
      case 'web_search_tool_result':
        parts.results.push(calls.result(each.tool_use_id, each.content ?? null));
        break;
      case 'other':
        report.add(defineMessage('Parts of messages of an unknown kind'));
        break;
    }
  }
  return parts;
}

function insideOf(
  content: z.infer<typeof inside>,
  report: ImportReport,
): { text: string; pictures: UIMessagePart[] } {
  if (typeof content === 'string') return { text: content, pictures: [] };
  report.add(
    defineMessage('Parts of messages of an unknown kind'),
    content.filter(({ type }) => type === 'other').length,
  );
  const texts = content.flatMap((each) => (each.type === 'text' ? [each.text] : []));
  const pictures = content.flatMap((each) => (each.type === 'image' ? [pictureOf(each)] : []));
  return { text: texts.join('\n\n'), pictures };
}

function pictureOf({ source: { media_type: mediaType, data } }: z.infer<typeof picture>): UIMessagePart {
  return { type: 'file', mediaType, url: `data:${mediaType};base64,${data}` };
}
