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
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.looseObject({ type: z.string() }).transform(() => ({ type: 'other' as const })),
]);
const content = z
  .union([z.string().transform((text) => [{ type: 'text' as const, text }]), z.array(part)])
  .nullish()
  .transform((parts) => parts ?? []);
const call = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(
    z.object({
      role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
      content,
      reasoning_content: z.string().nullish(),
      tool_calls: z.array(call).nullish(),
      tool_call_id: z.string().optional(),
    }),
  ),
  tools: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string() }).optional() }))
    .nullish()
    .transform((tools) => tools ?? []),
});

export const chatCompletionsWire: Protocol = {
  name: 'OpenAI Chat Completions',
  isFor: (path) => path.endsWith('/chat/completions'),
  read: (given) => {
    const { model, stream, messages, tools } = body.parse(given);
    return {
      protocol: 'OpenAI Chat Completions',
      model,
      isStreamed: stream,
      said: messages.flatMap(saidIn),
      tools: tools.flatMap((tool) => tool.function?.name ?? []),
      body: given,
    };
  },
  write: (writing) => (writing.request.isStreamed ? stream(writing) : whole(writing)),
};

function saidIn(message: z.infer<typeof body>['messages'][number]): Said[] {
  const { role, content: parts, tool_call_id: id } = message;
  const pictures = parts.flatMap((each) =>
    each.type === 'image_url' ? (pictureOfUrl(each.image_url.url) ?? []) : [],
  );
  const texts = parts.flatMap((each) => (each.type === 'text' ? [each.text] : []));
  if (role === 'tool') return [{ kind: 'result', id: id ?? '', text: texts.join('\n'), pictures }];
  const who = role === 'developer' ? 'system' : role;
  const thought = message.reasoning_content ?? '';
  return [
    ...(thought === '' ? [] : [{ kind: 'reasoning', text: thought } as const]),
    ...texts.filter((text) => text !== '').map((text): Said => ({ kind: 'text', who, text })),
    ...pictures.map((picture): Said => ({
      kind: 'picture',
      who: who === 'assistant' ? who : 'user',
      picture,
    })),
    ...(message.tool_calls ?? []).map((each): Said => {
      const { name, arguments: input } = each.function;
      return { kind: 'call', id: each.id, name, input: parsedInput(input) };
    }),
  ];
}

async function stream({ response, request, reply, held, sent }: Writing): Promise<void> {
  beginStream(response);
  const chunk = (choice: object | undefined, members: object = {}): void => {
    const choices = choice === undefined ? [] : [{ index: 0, finish_reason: null, ...choice }];
    const frame = {
      ...base(reply.id, request.model),
      object: 'chat.completion.chunk',
      choices,
      ...members,
    };
    response.write(`data: ${JSON.stringify(frame)}\n\n`);
  };
  chunk({ delta: { role: 'assistant', content: '' } });
  if (reply.reasoning !== undefined) {
    for (const thought of halves(reply.reasoning)) chunk({ delta: { reasoning_content: thought } });
    sent({ kind: 'reasoning', text: reply.reasoning });
  }
  if (reply.text !== undefined) {
    const [first, second] = halves(reply.text);
    chunk({ delta: { content: first } });
    if (reply.holds) {
      sent({ kind: 'text', who: 'assistant', text: first });
      await held();
      return;
    }
    chunk({ delta: { content: second } });
    sent({ kind: 'text', who: 'assistant', text: reply.text });
  }
  for (const [index, { id, name, input }] of reply.calls.entries()) {
    const [first, second] = halves(JSON.stringify(input));
    chunk({
      delta: { tool_calls: [{ index, id, type: 'function', function: { name, arguments: first } }] },
    });
    chunk({ delta: { tool_calls: [{ index, function: { arguments: second } }] } });
    sent({ kind: 'call', id, name, input });
  }
  chunk({ delta: {}, finish_reason: finish(reply.calls) });
  chunk(undefined, { usage: usageOf(reply) });
  response.end('data: [DONE]\n\n');
}

function whole({ response, request, reply, sent }: Writing): Promise<void> {
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
    ...(reply.calls.length === 0
      ? {}
      : {
          tool_calls: reply.calls.map(({ id, name, input }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        }),
  };
  sendJson(response, {
    ...base(reply.id, request.model),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish(reply.calls) }],
    usage: usageOf(reply),
  });
  if (reply.reasoning !== undefined) sent({ kind: 'reasoning', text: reply.reasoning });
  if (reply.text !== undefined) sent({ kind: 'text', who: 'assistant', text: reply.text });
  for (const { id, name, input } of reply.calls) sent({ kind: 'call', id, name, input });
  return Promise.resolve();
}

const finish = (calls: readonly unknown[]): string => (calls.length > 0 ? 'tool_calls' : 'stop');

function base(id: string, model: string): object {
  return { id: `chatcmpl-${id}`, created: 1_767_225_600, model };
}

function usageOf({ inputTokens = INPUT_TOKENS }: Writing['reply']): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: OUTPUT_TOKENS,
    total_tokens: inputTokens + OUTPUT_TOKENS,
  };
}
