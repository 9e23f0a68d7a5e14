import { APICallError, TypeValidationError } from 'ai';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { z } from 'zod';
import { tryParseJson } from '../../../base/tryParseJson.ts';
import { describeTooLong } from '../../errors/describeStatus.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import type { Fetch } from '../../requests/originFetch.ts';
import { jsonLines, ollamaMessages } from './ollamaWire.ts';
import { noticeDescriptor } from '../../errors/notice.ts';
import { callPart } from '../streamedModel.ts';

export interface OllamaModelOptions {
  readonly origin: string;
  readonly fetch: Fetch;
  readonly name: string;
  /** In tokens; omitted: the server's default. */
  readonly contextWindow?: number;
  readonly mayThink: boolean;
}

/** Older versions always cut what does not fit; a request that cannot fit is refused here. */
const MOST_CHARACTERS_PER_TOKEN = 6;

/** An Ollama model through Ollama's own API: https://docs.ollama.com/api/chat */
export function ollamaModel(options: OllamaModelOptions): LanguageModelV4 {
  const { name } = options;
  return {
    specificationVersion: 'v4',
    provider: 'ollama.chat',
    modelId: name,
    supportedUrls: {},
    async doStream(call) {
      const warnings: SharedV4Warning[] = [];
      const response = await ask(options, call);
      return {
        stream: streamOf(response, warnings),
        response: { headers: Object.fromEntries(response.headers) },
      };
    },
    async doGenerate(call) {
      return generated(streamOf(await ask(options, call), []));
    },
  };
}

async function ask(
  { origin, fetch, name, contextWindow, mayThink }: OllamaModelOptions,
  call: LanguageModelV4CallOptions,
): Promise<Response> {
  const messages = ollamaMessages(call.prompt);
  const tools = (call.tools ?? []).flatMap((tool) =>
    tool.type === 'function'
      ? [
          {
            type: 'function',
            function: {
              name: tool.name,
              description: tool.description ?? '',
              parameters: tool.inputSchema,
            },
          },
        ]
      : [],
  );
  const think = mayThink ? thinkOf(call.reasoning, name) : undefined;
  const body = JSON.stringify({
    model: name,
    messages,
    stream: true,
    ...(tools.length === 0 ? {} : { tools }),
    ...(think === undefined ? {} : { think }),
    // A request that does not fit must be refused, never cut silently. Older versions do not know these two.
    truncate: false,
    shift: false,
    options: {
      ...(contextWindow === undefined ? {} : { num_ctx: contextWindow }),
      ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
      ...(call.maxOutputTokens === undefined ? {} : { num_predict: call.maxOutputTokens }),
      ...(call.topP === undefined ? {} : { top_p: call.topP }),
      ...(call.seed === undefined ? {} : { seed: call.seed }),
      ...(call.stopSequences === undefined ? {} : { stop: call.stopSequences }),
    },
  });
  const text = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (contextWindow !== undefined && text > contextWindow * MOST_CHARACTERS_PER_TOKEN) throw tooLong(name);
  const url = new URL('/api/chat', origin);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    ...(call.abortSignal === undefined ? {} : { signal: call.abortSignal }),
  }).catch((error: unknown) => {
    if (call.abortSignal?.aborted === true || error instanceof ModelError) throw error;
    throw new APICallError({
      message: 'Ollama cannot be reached.',
      url: url.href,
      requestBodyValues: {},
      cause: error,
      isRetryable: true,
    });
  });
  if (response.ok && response.body !== null) return response;
  throw refusalOf(response, await response.text(), url);
}

/** Only one model family supports levels. */
function thinkOf(
  effort: LanguageModelV4CallOptions['reasoning'],
  name: string,
): boolean | string | undefined {
  if (effort === undefined || effort === 'provider-default') return undefined;
  if (!/gpt-oss/iu.test(name)) return effort !== 'none';
  switch (effort) {
    case 'none':
    case 'minimal':
    case 'low':
      return 'low';
    case 'medium':
      return 'medium';
    case 'high':
    case 'xhigh':
    case 'max':
      return 'high';
  }
}

const refusal = z.object({ error: z.string() });

function refusalOf(response: Response, body: string, url: URL): APICallError {
  const reason = refusal.safeParse(tryParseJson(body)).data?.error;
  return new APICallError({
    message: reason ?? response.statusText,
    url: url.href,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: body,
    isRetryable: response.status === 429 || response.status >= 500,
    ...(reason === undefined ? {} : { data: { error: reason } }),
  });
}

function tooLong(name: string): ModelError {
  return new ModelError('context-too-long', noticeDescriptor(describeTooLong(name)));
}

const count = z.number().nonnegative().optional().catch(undefined);

const line = z.object({
  error: z.union([z.string(), z.looseObject({})]).optional(),
  message: z
    .object({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z
        .array(
          z.object({
            id: z.string().optional(),
            function: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).nullish() }),
          }),
        )
        .nullish(),
    })
    .optional(),
  done: z.boolean().optional(),
  done_reason: z.string().optional(),
  prompt_eval_count: count,
  eval_count: count,
});

function streamOf(
  response: Response,
  warnings: SharedV4Warning[],
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = streamParts(response, warnings);
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await parts.return(undefined);
      },
    },
    // Do not produce ahead of the reader, so that a stop takes effect at the next word.
    { highWaterMark: 0 },
  );
}

async function* streamParts(
  { body }: Response,
  warnings: SharedV4Warning[],
): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
  yield { type: 'stream-start', warnings };
  let open: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined;
  let pieces = 0;
  let calls = 0;
  let last: z.infer<typeof line> | undefined;
  if (body === null) return undefined;
  for await (const value of jsonLines(body)) {
    const { data: read, error: cause } = line.safeParse(value);
    if (read === undefined) throw new TypeValidationError({ value: undefined, cause });
    if (read.error !== undefined) {
      // The form other servers use in the middle of a stream.
      yield { type: 'error', error: { error: read.error } };
      return undefined;
    }
    const { thinking, content, tool_calls: requested } = read.message ?? {};
    for (const [type, text] of [
      ['reasoning', thinking],
      ['text', content],
    ] as const) {
      if (text === undefined || text === null || text === '') continue;
      if (open?.type !== type) {
        if (open) yield { type: `${open.type}-end`, id: open.id };
        open = { type, id: String((pieces += 1)) };
        yield { type: `${type}-start`, id: open.id };
      }
      yield { type: `${type}-delta`, id: open.id, delta: text };
    }
    for (const { id, function: called } of requested ?? []) {
      if (open) yield { type: `${open.type}-end`, id: open.id };
      open = undefined;
      calls += 1;
      yield callPart({
        callId: id === undefined || id === '' ? crypto.randomUUID() : id,
        name: called.name,
        input: called.arguments ?? {},
      });
    }
    if (read.done === true) last = read;
  }
  if (open) yield { type: `${open.type}-end`, id: open.id };
  yield { type: 'finish', finishReason: finishReason(last, calls), usage: usageOf(last) };
  return undefined;
}

function finishReason(last: z.infer<typeof line> | undefined, calls: number): LanguageModelV4FinishReason {
  const raw = last?.done_reason;
  if (last === undefined) return { unified: 'error', raw };
  if (raw === 'length') return { unified: 'length', raw };
  return { unified: calls > 0 ? 'tool-calls' : 'stop', raw };
}

function usageOf(last: z.infer<typeof line> | undefined): LanguageModelV4Usage {
  const input = last?.prompt_eval_count;
  const output = last?.eval_count;
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  };
}

async function generated(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  let end: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') end = part;
    else if (part.type === 'tool-call') content.push(part);
    else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const type = part.type === 'text-delta' ? 'text' : 'reasoning';
      const before = content.at(-1);
      if (before?.type === type) before.text += part.delta;
      else content.push({ type, text: part.delta });
    }
  }
  if (end === undefined) throw new Error('The answer has no end.');
  return { content, finishReason: end.finishReason, usage: end.usage, warnings: [] };
}
