import { z } from 'zod';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import type { ImportReport } from './importReport.ts';
import type { ToolCalls, ChatBuilder } from './chatBuilder.ts';

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

export const anthropicContent = z.union([z.string(), z.array(block)]);
export type AnthropicContent = z.infer<typeof anthropicContent>;

export interface ReadContent {
  readonly spoken: readonly UIMessagePart[];
  /** With the pictures that they showed. */
  readonly results: readonly UIMessagePart[];
}

/** Remembers its calls until their results arrive. */
export function readContent(content: AnthropicContent, calls: ToolCalls, report: ImportReport): ReadContent {
  const parts = { spoken: [] as UIMessagePart[], results: [] as UIMessagePart[] };
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
        parts.results.push(calls.result(each.tool_use_id, text, each.is_error === true, undefined, pictures));
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

interface Talk extends ReadContent {
  readonly key: string;
  readonly parentId: string | null;
  readonly role: 'user' | 'assistant';
  readonly createdAt: number;
  readonly model?: string | undefined;
}

/**
 * Tool results belong to the assistant, with their calls; the user's words follow them.
 * @returns the id of the last message, or that of the parent if there is nothing to add
 */
export function addTalk(builder: ChatBuilder, talk: Talk): string | null {
  const { key, role, createdAt, model, spoken, results } = talk;
  let { parentId } = talk;
  const add = (suffix: string, as: 'user' | 'assistant', parts: readonly UIMessagePart[]): void => {
    if (parts.length === 0) return;
    parentId = builder.add({ key: `${key}${suffix}`, parentId, role: as, parts, createdAt, model });
  };
  if (role === 'assistant') {
    add('', 'assistant', [...spoken, ...results]);
  } else {
    add(spoken.length === 0 ? '' : ':results', 'assistant', results);
    add('', 'user', spoken);
  }
  return parentId;
}

/** The tags programs put around their notes to the model next to the user's words. */
export const NOTES: readonly string[] = ['system-reminder', 'environment_details'];

export function withoutNotes(
  parts: readonly UIMessagePart[],
  report: ImportReport,
  tags = NOTES,
): UIMessagePart[] {
  return parts.flatMap((part): UIMessagePart[] => {
    if (part.type !== 'text' || !('text' in part)) return [part];
    const text = tags.reduce(withoutElement, part.text);
    if (text === part.text) return [part];
    report.add(defineMessage('Notes of the program to the model'));
    return text.trim() === '' ? [] : [{ ...part, text: text.trim() }];
  });
}

/** Linear in the text for any content. */
function withoutElement(text: string, name: string): string {
  const [start, end] = [`<${name}>`, `</${name}>`];
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, from)) {
    const close = text.indexOf(end, at);
    if (close < 0) break;
    kept += text.slice(from, at);
    from = close + end.length;
  }
  return from === 0 ? text : kept + text.slice(from);
}
