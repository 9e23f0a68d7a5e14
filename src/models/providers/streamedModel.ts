import type {
  JSONObject,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { beyondBounds, INPUT_BOUNDS, leftOut } from '../messages/jsonBounds.ts';
import { VSCODE, type KeptThinking } from '../requests/vscodeThinking.ts';

/** A piece of an answer from one of our own models. */
export type StreamedPiece = TextPiece | CallPiece;

export type TextPiece =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'reasoning';
      readonly text: string;
      /** Metadata to send back with the reasoning to its provider. */
      readonly kept?: KeptThinking;
    };

export interface CallPiece {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  readonly input: object;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: object;
}

export interface StreamedModelOptions {
  readonly provider: string;
  readonly modelId: string;
  /**
   * Answers piece by piece. Returning ends the answer, throwing ends it with an error; after `signal` has fired it
   * must settle soon. An error before the first piece rejects the request, so that the caller can try again.
   */
  readonly answer: (
    prompt: LanguageModelV4Prompt,
    signal: AbortSignal,
    tools: readonly OfferedTool[],
    temperature: number | undefined,
  ) => AsyncIterable<StreamedPiece>;
  /** Whether it is sent the temperature. Default: no, and a request with one gets a notice. */
  readonly takesTemperature?: boolean;
  /** Whether it is sent tools. Default: no. */
  readonly takesTools?: boolean;
}

const UNKNOWN_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

const STOP: LanguageModelV4FinishReason = { unified: 'stop', raw: undefined };
const TOOL_CALLS: LanguageModelV4FinishReason = { unified: 'tool-calls', raw: undefined };

export function streamedModel({
  provider,
  modelId,
  answer,
  takesTools = false,
  takesTemperature = false,
}: StreamedModelOptions): LanguageModelV4 {
  const offered = (options: LanguageModelV4CallOptions): OfferedTool[] =>
    takesTools ? offeredTools(options) : [];
  const warnings = (options: LanguageModelV4CallOptions): SharedV4Warning[] =>
    warningsOf(options, { takesTools, takesTemperature });
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    async doStream(options) {
      const own = new AbortController();
      const signal =
        options.abortSignal === undefined ? own.signal : AbortSignal.any([options.abortSignal, own.signal]);
      const pieces = answer(options.prompt, signal, offered(options), options.temperature)[
        Symbol.asyncIterator
      ]();
      const first = await pieces.next();
      const parts = streamParts(first, pieces, warnings(options));
      return {
        stream: new ReadableStream<LanguageModelV4StreamPart>(
          {
            async pull(controller) {
              const next = await parts.next();
              if (next.done === true) controller.close();
              else controller.enqueue(next.value);
            },
            async cancel() {
              own.abort();
              await pieces.return?.();
            },
          },
          // Do not produce ahead of the reader, so that a stop takes effect at the next word.
          { highWaterMark: 0 },
        ),
      };
    },
    async doGenerate(options) {
      const signal = options.abortSignal ?? new AbortController().signal;
      return generated(
        answer(options.prompt, signal, offered(options), options.temperature),
        warnings(options),
      );
    },
  };
}

interface OpenPart {
  readonly type: TextPiece['type'];
  readonly id: string;
  kept: KeptThinking | undefined;
}

/** Each of several consecutive reasoning parts is verified by its own metadata only. */
function continues({ type, kept }: OpenPart, piece: TextPiece): boolean {
  if (piece.type !== type) return false;
  const id = piece.type === 'reasoning' ? piece.kept?.id : undefined;
  return id === undefined || kept?.id === undefined || id === kept.id;
}

function endOf({ type, id, kept }: OpenPart): LanguageModelV4StreamPart {
  if (type === 'text' || kept === undefined) return { type: `${type}-end`, id };
  // It was parsed from JSON, or is compared with such a value.
  const thinking = JSON.parse(JSON.stringify(kept)) as JSONObject;
  return { type: 'reasoning-end', id, providerMetadata: { [VSCODE]: { thinking } } };
}

async function* streamParts(
  first: IteratorResult<StreamedPiece>,
  rest: AsyncIterator<StreamedPiece>,
  warnings: SharedV4Warning[],
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings };
  let open: OpenPart | undefined;
  let parts = 0;
  let finishReason = STOP;
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      if (next.value.type === 'tool-call') {
        // What follows the call is another part: reasoning must keep its position.
        if (open !== undefined) yield endOf(open);
        open = undefined;
        yield callPart(next.value);
        finishReason = TOOL_CALLS;
        continue;
      }
      const { type, text } = next.value;
      if (open === undefined || !continues(open, next.value)) {
        if (open !== undefined) yield endOf(open);
        open = { type, id: String((parts += 1)), kept: undefined };
        yield { type: `${type}-start`, id: open.id };
      }
      if (next.value.type === 'reasoning' && next.value.kept)
        open.kept = { ...open.kept, ...next.value.kept };
      yield { type: `${type}-delta`, id: open.id, delta: text };
    }
  } catch (error) {
    finishReason = { unified: 'error', raw: undefined };
    yield { type: 'error', error };
  }
  if (open !== undefined) yield endOf(open);
  yield { type: 'finish', finishReason, usage: UNKNOWN_USAGE };
}

async function generated(
  pieces: AsyncIterable<StreamedPiece>,
  warnings: SharedV4Warning[],
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  let finishReason = STOP;
  for await (const piece of pieces) {
    const last = content.at(-1);
    if (piece.type === 'tool-call') {
      content.push(callPart(piece));
      finishReason = TOOL_CALLS;
    } else if (last?.type === piece.type) last.text += piece.text;
    else content.push({ type: piece.type, text: piece.text });
  }
  return { content, finishReason, usage: UNKNOWN_USAGE, warnings };
}

/** Drops an input too deep or too large before it is serialized recursively: only the call fails, not the answer. */
export function callPart({ callId, name, input }: Omit<CallPiece, 'type'>): LanguageModelV4ToolCall {
  const call = { type: 'tool-call' as const, toolCallId: callId, toolName: name };
  const beyond = beyondBounds(input, INPUT_BOUNDS);
  return beyond
    ? { ...call, input: '{}', providerMetadata: leftOut(beyond) }
    : { ...call, input: JSON.stringify(input) };
}

function offeredTools({ tools = [] }: LanguageModelV4CallOptions): OfferedTool[] {
  return tools.flatMap((each) =>
    each.type === 'function'
      ? [{ name: each.name, description: each.description ?? '', inputSchema: each.inputSchema }]
      : [],
  );
}

function warningsOf(
  { tools, temperature }: LanguageModelV4CallOptions,
  { takesTools, takesTemperature }: { takesTools: boolean; takesTemperature: boolean },
): SharedV4Warning[] {
  const hasTools = (tools?.length ?? 0) > 0;
  return [
    ...(hasTools && !takesTools ? [{ type: 'unsupported' as const, feature: 'tools' }] : []),
    ...(temperature !== undefined && !takesTemperature
      ? [{ type: 'unsupported' as const, feature: 'temperature' }]
      : []),
  ];
}
