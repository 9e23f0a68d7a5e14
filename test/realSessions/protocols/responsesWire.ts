import { z } from 'zod';
import type { Said } from '../said.ts';
import {
  beginStream,
  halves,
  INPUT_TOKENS,
  OUTPUT_TOKENS,
  parsedInput,
  pictureOfUrl,
  sendJson,
  type Protocol,
  type Writing,
} from './wire.ts';

const part = z.union([
  z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }),
  z.object({ type: z.literal('input_image'), image_url: z.string() }),
  z.looseObject({ type: z.string() }).transform(() => ({ type: 'other' as const })),
]);
const content = z.union([z.string().transform((text) => [{ type: 'text' as const, text }]), z.array(part)]);
const item = z.union([
  z.object({
    type: z.enum(['function_call_output', 'custom_tool_call_output']),
    call_id: z.string(),
    output: content,
  }),
  z.object({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    call_id: z.string(),
    name: z.string(),
    input: z.string(),
  }),
  z.object({ type: z.literal('reasoning'), summary: z.array(z.looseObject({ text: z.string() })) }),
  z.object({
    type: z.literal('message').default('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  z.looseObject({ type: z.string() }).transform(() => ({ type: 'other' as const })),
]);
const body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  instructions: z.string().nullish(),
  input: z.union([
    z
      .string()
      .transform((text): z.infer<typeof item>[] => [
        { type: 'message', role: 'user', content: [{ type: 'text', text }] },
      ]),
    z.array(item),
  ]),
  tools: z.array(z.looseObject({ name: z.string().optional(), type: z.string() })).default([]),
});

export const responsesWire: Protocol = {
  name: 'OpenAI Responses',
  isFor: (path) => path.endsWith('/responses'),
  read: (given) => {
    const { model, stream, instructions, input, tools } = body.parse(given);
    const own: Said[] = instructions ? [{ kind: 'text', who: 'system', text: instructions }] : [];
    return {
      protocol: 'OpenAI Responses',
      model,
      isStreamed: stream,
      said: [...own, ...input.flatMap(saidIn)],
      tools: tools.map(({ name, type }) => name ?? type),
      body: given,
    };
  },
  write: (writing) => (writing.request.isStreamed ? stream(writing) : whole(writing)),
};

function saidIn(each: z.infer<typeof item>): Said[] {
  switch (each.type) {
    case 'message': {
      const who = each.role === 'developer' ? 'system' : each.role;
      return each.content.flatMap((piece): Said[] => {
        if (piece.type === 'other') return [];
        if (piece.type !== 'input_image') return [{ kind: 'text', who, text: piece.text }];
        const picture = pictureOfUrl(piece.image_url);
        return picture ? [{ kind: 'picture', who: who === 'assistant' ? who : 'user', picture }] : [];
      });
    }
    case 'reasoning':
      return each.summary.map(({ text }) => ({ kind: 'reasoning', text }));
    case 'function_call':
      return [{ kind: 'call', id: each.call_id, name: each.name, input: parsedInput(each.arguments) }];
    case 'custom_tool_call':
      return [{ kind: 'call', id: each.call_id, name: each.name, input: each.input }];
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const pieces = each.output;
      const words = pieces.flatMap((piece) => ('text' in piece ? [piece.text] : []));
      const pictures = pieces.flatMap((piece) =>
        piece.type === 'input_image' ? (pictureOfUrl(piece.image_url) ?? []) : [],
      );
      return [{ kind: 'result', id: each.call_id, text: words.join('\n'), pictures }];
    }
    case 'other':
      return [];
  }
}

/** The items of an answer, each with the events that fill it. */
interface Item {
  readonly said: Said;
  readonly begun: object;
  readonly done: object;
  readonly events: readonly (readonly [type: string, members: object])[];
}

function itemsOf({ id, reasoning, text, calls }: Writing['reply']): Item[] {
  const items: Item[] = [];
  if (reasoning !== undefined) {
    const own = { type: 'reasoning', id: `rs_${id}` };
    const at = { item_id: own.id, summary_index: 0 };
    const summary = { type: 'summary_text', text: reasoning };
    items.push({
      said: { kind: 'reasoning', text: reasoning },
      begun: { ...own, summary: [] },
      done: { ...own, summary: [summary] },
      events: [
        ['response.reasoning_summary_part.added', { ...at, part: { ...summary, text: '' } }],
        ...halves(reasoning).map(
          (delta) => ['response.reasoning_summary_text.delta', { ...at, delta }] as const,
        ),
        ['response.reasoning_summary_text.done', { ...at, text: reasoning }],
        ['response.reasoning_summary_part.done', { ...at, part: summary }],
      ],
    });
  }
  if (text !== undefined) {
    const own = { type: 'message', id: `msg_${id}`, role: 'assistant' };
    const at = { item_id: own.id, content_index: 0 };
    const output = { type: 'output_text', text, annotations: [] };
    items.push({
      said: { kind: 'text', who: 'assistant', text },
      begun: { ...own, status: 'in_progress', content: [] },
      done: { ...own, status: 'completed', content: [output] },
      events: [
        ['response.content_part.added', { ...at, part: { ...output, text: '' } }],
        ...halves(text).map((delta) => ['response.output_text.delta', { ...at, delta }] as const),
        ['response.output_text.done', { ...at, text }],
        ['response.content_part.done', { ...at, part: output }],
      ],
    });
  }
  for (const { id: callId, name, namespace, input } of calls) {
    const isText = typeof input === 'string';
    const kind = isText ? 'custom_tool_call' : 'function_call';
    const group = namespace === undefined ? {} : { namespace };
    const own = { type: kind, id: `fc_${callId}`, call_id: callId, name, ...group };
    const [member, value] = isText ? ['input', input] : ['arguments', JSON.stringify(input)];
    const event = isText ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
    items.push({
      said: { kind: 'call', id: callId, name, input },
      begun: { ...own, status: 'in_progress', [member]: '' },
      done: { ...own, status: 'completed', [member]: value },
      events: [
        [`${event}.delta`, { item_id: own.id, delta: value }],
        [`${event}.done`, { item_id: own.id, [member]: value }],
      ],
    });
  }
  return items;
}

async function stream({ response, request, reply, held, sent }: Writing): Promise<void> {
  beginStream(response);
  let number = 0;
  const event = (type: string, members: object): void => {
    const frame = { type, sequence_number: number++, ...members };
    response.write(`event: ${type}\ndata: ${JSON.stringify(frame)}\n\n`);
  };
  event('response.created', { response: answer(reply, request.model, [], 'in_progress') });
  event('response.in_progress', { response: answer(reply, request.model, [], 'in_progress') });
  const items = itemsOf(reply);
  for (const [index, each] of items.entries()) {
    const output = { output_index: index };
    event('response.output_item.added', { ...output, item: each.begun });
    for (const [type, members] of each.events) {
      event(type, { ...output, ...members });
      if (reply.holds && type === 'response.output_text.delta') {
        sent({ kind: 'text', who: 'assistant', text: halves(reply.text ?? '')[0] });
        await held();
        return;
      }
    }
    event('response.output_item.done', { ...output, item: each.done });
    sent(each.said);
  }
  const done = items.map((each) => each.done);
  event('response.completed', { response: answer(reply, request.model, done, 'completed') });
  response.end();
}

function whole({ response, request, reply, sent }: Writing): Promise<void> {
  const items = itemsOf(reply);
  sendJson(
    response,
    answer(
      reply,
      request.model,
      items.map(({ done }) => done),
      'completed',
    ),
  );
  for (const { said } of items) sent(said);
  return Promise.resolve();
}

function answer(
  { id, inputTokens = INPUT_TOKENS }: Writing['reply'],
  model: string,
  output: readonly object[],
  status: string,
): object {
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: OUTPUT_TOKENS,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + OUTPUT_TOKENS,
  };
  const base = { id: `resp_${id}`, object: 'response', created_at: 1_767_225_600, model, output, status };
  return { ...base, ...(status === 'completed' ? { usage } : {}) };
}
