import { z } from 'zod';
import type { Said } from '../said.ts';
import {
  beginStream,
  halves,
  INPUT_TOKENS,
  OUTPUT_TOKENS,
  pictureOf,
  sendJson,
  type Protocol,
  type Writing,
} from './wire.ts';

const text = z.object({ type: z.literal('text'), text: z.string() });
const image = z.object({
  type: z.literal('image'),
  source: z.object({ media_type: z.string(), data: z.string() }),
});
const other = z.looseObject({ type: z.string() }).transform(() => ({ type: 'other' as const }));
const words = z.string().transform((said) => [{ type: 'text' as const, text: said }]);
const block = z.union([
  text,
  image,
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([words, z.array(z.union([text, image, other]))]).default([]),
    is_error: z.boolean().optional(),
  }),
  other,
]);
const body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  system: z.union([words, z.array(z.union([text, other]))]).default([]),
  messages: z.array(
    z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.union([words, z.array(block)]) }),
  ),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});

export const anthropicMessages: Protocol = {
  name: 'Anthropic Messages',
  isFor: (path) => path.endsWith('/messages'),
  read: (given) => {
    const { model, stream, system, messages, tools } = body.parse(given);
    const said = [
      ...system.flatMap((each): Said[] =>
        each.type === 'text' ? [{ kind: 'text', who: 'system', text: each.text }] : [],
      ),
      ...messages.flatMap(({ role, content }) => content.flatMap((each) => saidIn(role, each))),
    ];
    return {
      protocol: 'Anthropic Messages',
      model,
      isStreamed: stream,
      said,
      tools: tools.map(({ name }) => name),
      body: given,
    };
  },
  write: (writing) => (writing.request.isStreamed ? stream(writing) : whole(writing)),
};

function saidIn(who: 'user' | 'assistant' | 'system', each: z.infer<typeof block>): Said[] {
  switch (each.type) {
    case 'text':
      return [{ kind: 'text', who, text: each.text }];
    case 'thinking':
      return [{ kind: 'reasoning', text: each.thinking }];
    case 'image': {
      const picture = pictureOf(each.source.media_type, each.source.data);
      return [{ kind: 'picture', who: who === 'assistant' ? who : 'user', picture }];
    }
    case 'tool_use':
      return [{ kind: 'call', id: each.id, name: each.name, input: each.input }];
    case 'tool_result':
      return [
        {
          kind: 'result',
          id: each.tool_use_id,
          text: each.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
          isError: each.is_error,
          pictures: each.content.flatMap((part) =>
            part.type === 'image' ? [pictureOf(part.source.media_type, part.source.data)] : [],
          ),
        },
      ];
    case 'other':
      return [];
  }
}

const SIGNATURE = Buffer.from('a signature of nobody').toString('base64');

async function stream({ response, request, reply, held, sent }: Writing): Promise<void> {
  beginStream(response);
  const event = (type: string, members: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`);
  };
  const usage = { input_tokens: reply.inputTokens ?? INPUT_TOKENS, output_tokens: 1 };
  event('message_start', {
    message: { ...message(reply.id, request.model), content: [], stop_reason: null, usage },
  });
  let index = 0;
  const piece = (start: object, deltas: readonly object[]): void => {
    event('content_block_start', { index, content_block: start });
    for (const delta of deltas) event('content_block_delta', { index, delta });
  };
  const end = (): void => {
    event('content_block_stop', { index });
    index += 1;
  };
  if (reply.reasoning !== undefined) {
    piece({ type: 'thinking', thinking: '', signature: '' }, [
      ...halves(reply.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: SIGNATURE },
    ]);
    end();
    sent({ kind: 'reasoning', text: reply.reasoning });
  }
  if (reply.text !== undefined) {
    const [first, second] = halves(reply.text);
    piece({ type: 'text', text: '' }, [{ type: 'text_delta', text: first }]);
    if (reply.holds) {
      sent({ kind: 'text', who: 'assistant', text: first });
      await held();
      return;
    }
    event('content_block_delta', { index, delta: { type: 'text_delta', text: second } });
    end();
    sent({ kind: 'text', who: 'assistant', text: reply.text });
  }
  for (const { id, name, input } of reply.calls) {
    const parts = halves(JSON.stringify(input));
    piece(
      { type: 'tool_use', id, name, input: {} },
      parts.map((json) => ({ type: 'input_json_delta', partial_json: json })),
    );
    end();
    sent({ kind: 'call', id, name, input });
  }
  event('message_delta', {
    delta: { stop_reason: stopReason(reply.calls), stop_sequence: null },
    usage: { output_tokens: OUTPUT_TOKENS },
  });
  event('message_stop', {});
  response.end();
}

function whole({ response, request, reply, sent }: Writing): Promise<void> {
  const content: object[] = [];
  if (reply.reasoning !== undefined) {
    content.push({ type: 'thinking', thinking: reply.reasoning, signature: SIGNATURE });
    sent({ kind: 'reasoning', text: reply.reasoning });
  }
  if (reply.text !== undefined) {
    content.push({ type: 'text', text: reply.text });
    sent({ kind: 'text', who: 'assistant', text: reply.text });
  }
  for (const { id, name, input } of reply.calls) {
    content.push({ type: 'tool_use', id, name, input });
    sent({ kind: 'call', id, name, input });
  }
  const usage = { input_tokens: reply.inputTokens ?? INPUT_TOKENS, output_tokens: OUTPUT_TOKENS };
  sendJson(response, {
    ...message(reply.id, request.model),
    content,
    stop_reason: stopReason(reply.calls),
    usage,
  });
  return Promise.resolve();
}

function message(id: string, model: string): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function stopReason(calls: readonly unknown[]): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}
