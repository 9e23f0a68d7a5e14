import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider';

/** A piece of an answer as a model of our own brings it. */
export type StreamedPiece =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'reasoning'; readonly text: string };

export interface StreamedModelOptions {
  readonly provider: string;
  readonly modelId: string;
  /**
   * Answers piece by piece. Returning ends the answer, throwing ends it with an error; after `signal` has fired it must
   * settle soon. What is thrown before the first piece rejects the request, so that the caller can try again.
   */
  readonly answer: (prompt: LanguageModelV4Prompt, signal: AbortSignal) => AsyncIterable<StreamedPiece>;
}

const UNKNOWN_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

const STOP: LanguageModelV4FinishReason = { unified: 'stop', raw: undefined };

/** Makes a language model of the AI SDK out of a function that yields pieces of text. */
export function streamedModel({ provider, modelId, answer }: StreamedModelOptions): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    async doStream(options) {
      const own = new AbortController();
      const signal =
        options.abortSignal === undefined ? own.signal : AbortSignal.any([options.abortSignal, own.signal]);
      const pieces = answer(options.prompt, signal)[Symbol.asyncIterator]();
      const first = await pieces.next();
      const parts = streamParts(first, pieces, warningsOf(options));
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
          // Nothing is made ahead of its reader, so that a stop takes effect at the next word.
          { highWaterMark: 0 },
        ),
      };
    },
    async doGenerate(options) {
      const pieces = answer(options.prompt, options.abortSignal ?? new AbortController().signal);
      return generated(pieces, warningsOf(options));
    },
  };
}

async function* streamParts(
  first: IteratorResult<StreamedPiece>,
  rest: AsyncIterator<StreamedPiece>,
  warnings: SharedV4Warning[],
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings };
  let open: { type: StreamedPiece['type']; id: string } | undefined;
  let parts = 0;
  let finishReason = STOP;
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      const { type, text } = next.value;
      if (open?.type !== type) {
        if (open !== undefined) yield { type: `${open.type}-end`, id: open.id };
        open = { type, id: String((parts += 1)) };
        yield { type: `${type}-start`, id: open.id };
      }
      yield { type: `${type}-delta`, id: open.id, delta: text };
    }
  } catch (error) {
    finishReason = { unified: 'error', raw: undefined };
    yield { type: 'error', error };
  }
  if (open !== undefined) yield { type: `${open.type}-end`, id: open.id };
  yield { type: 'finish', finishReason, usage: UNKNOWN_USAGE };
}

async function generated(
  pieces: AsyncIterable<StreamedPiece>,
  warnings: SharedV4Warning[],
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  for await (const { type, text } of pieces) {
    const last = content.at(-1);
    if (last?.type === type) last.text += text;
    else content.push({ type, text });
  }
  return { content, finishReason: STOP, usage: UNKNOWN_USAGE, warnings };
}

/** What was asked for and is not done, as the AI SDK wants it told. */
function warningsOf({ tools }: LanguageModelV4CallOptions): SharedV4Warning[] {
  return (tools?.length ?? 0) > 0 ? [{ type: 'unsupported', feature: 'tools' }] : [];
}
