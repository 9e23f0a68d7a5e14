import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { textPart, ToolCalls } from '../chatBuilder.ts';
import type { ImportReport } from '../importReport.ts';

// An answer of Open WebUI: newer versions store its output as items of OpenAI's Responses API next to its text, all of
// them write reasoning and calls of tools into the text, as `<details type="…">` with HTML-escaped attributes.

const texts = z
  .array(z.union([z.object({ text: z.string() }), z.unknown().transform(() => ({ text: '' }))]))
  .catch([])
  .transform((all) => all.map(({ text }) => text).join('\n\n'));

const item = z.union([
  z.object({ type: z.literal('message'), content: texts }),
  z
    .object({ type: z.literal('reasoning'), content: texts.optional(), summary: texts.nullish() })
    .transform(({ type, content, summary }) => ({
      type,
      text: [content, summary].find((each) => each) ?? '',
    })),
  z.object({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string().catch(''),
  }),
  z.object({
    type: z.literal('function_call_output'),
    call_id: z.string(),
    output: z.union([z.string(), texts]),
  }),
  z.unknown().transform(() => ({ type: 'other' }) as const),
]);

export const openWebUiOutput = z.array(item);

/** @param output the items, if there are any: they say all that the text does */
export function answerParts(
  content: string,
  output: z.infer<typeof openWebUiOutput> | undefined,
  report: ImportReport,
): UIMessagePart[] {
  const calls = new ToolCalls();
  const parts =
    output?.some(({ type }) => type !== 'other') === true
      ? output.flatMap((each) => partsOfItem(each, calls, report))
      : partsOfText(content, calls);
  calls.reportOpen(report);
  return parts;
}

function partsOfItem(each: z.infer<typeof item>, calls: ToolCalls, report: ImportReport): UIMessagePart[] {
  switch (each.type) {
    case 'message':
      return textPart(each.content.trim());
    case 'reasoning':
      return each.text === '' ? [] : [{ type: 'reasoning', text: each.text }];
    case 'function_call':
      calls.called(each.call_id, each.name, inputOf(each.arguments));
      return [];
    case 'function_call_output':
      return [calls.result(each.call_id, each.output)];
    case 'other':
      report.add(defineMessage('Parts of messages of an unknown kind'));
      return [];
  }
}

function partsOfText(content: string, calls: ToolCalls): UIMessagePart[] {
  const parts: UIMessagePart[] = [];
  let from = 0;
  for (const { start, end, attributes, inside } of detailsIn(content)) {
    parts.push(...textPart(content.slice(from, start).trim()), ...partsOfDetails(attributes, inside, calls));
    from = end;
  }
  return [...parts, ...textPart(content.slice(from).trim())];
}

interface Details {
  readonly start: number;
  readonly end: number;
  readonly attributes: ReadonlyMap<string, string>;
  /** After its summary. */
  readonly inside: string;
}

const [OPEN, CLOSE, SUMMARY] = ['<details type="', '</details>', '</summary>'] as const;
const known = new Set(['reasoning', 'tool_calls', 'code_interpreter']);

/** Those that the program wrote: others are part of an answer. Linear in the text for any content. */
function* detailsIn(content: string): Generator<Details> {
  for (let start = content.indexOf(OPEN); start >= 0;) {
    const tagEnd = content.indexOf('>', start);
    const close = tagEnd < 0 ? -1 : content.indexOf(CLOSE, tagEnd);
    if (close < 0) return;
    const pairs = content.slice(start, tagEnd).matchAll(/([a-z_]+)="([^"]*)"/gu);
    const attributes = new Map([...pairs].map(([, name = '', value = '']) => [name, unescaped(value)]));
    const isKnown = known.has(attributes.get('type') ?? '');
    const inside = content.slice(tagEnd + 1, close);
    const summary = inside.indexOf(SUMMARY);
    const end = close + CLOSE.length;
    if (isKnown)
      yield { start, end, attributes, inside: summary < 0 ? inside : inside.slice(summary + SUMMARY.length) };
    start = content.indexOf(OPEN, isKnown ? end : tagEnd);
  }
}

function partsOfDetails(
  attributes: ReadonlyMap<string, string>,
  inside: string,
  calls: ToolCalls,
): UIMessagePart[] {
  const text = unescaped(inside).trim();
  if (attributes.get('type') === 'reasoning') {
    const words = text.replaceAll(/^> ?/gmu, '').trim();
    return words === '' ? [] : [{ type: 'reasoning', text: words }];
  }
  const isCode = attributes.get('type') === 'code_interpreter';
  const id = attributes.get('id') ?? `call-${calls.size}`;
  const name = isCode ? 'code_interpreter' : (attributes.get('name') ?? '');
  calls.called(id, name, isCode ? { code: text } : inputOf(attributes.get('arguments') ?? ''));
  if (attributes.get('done') === 'false') return [];
  const result = attributes.get(isCode ? 'output' : 'result') ?? (isCode ? '' : text);
  return [calls.result(id, once(result))];
}

/** Arguments are JSON, or JSON in a JSON string. */
function inputOf(args: string): unknown {
  const value = once(args);
  if (typeof value !== 'string') return value;
  return value === '' ? {} : (tryParseJson(value) ?? { arguments: value });
}

function once(text: string): unknown {
  return tryParseJson(text) ?? text;
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&quot;': '"', '&#34;': '"', '&#x27;': "'", '&#39;': "'" },
  ...{ '&lt;': '<', '&gt;': '>', '&amp;': '&' },
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:quot|lt|gt|amp|#34|#39|#x27);/gu, (entity) => entities[entity] ?? entity);
}
