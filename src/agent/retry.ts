import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { askedDelay } from './askedDelay.ts';
import type { OpenedModel } from './chatModel.ts';
import { describeModelError } from './describeModelError.ts';
import { failedRequest } from './failedRequest.ts';
import { pause, type RequestPace } from './explore/requestPace.ts';
import type { AnswerError } from './modelErrors.ts';
import type { Scheduler } from './scheduler.ts';

/** The first wait in milliseconds; each further one is twice as long. */
const FIRST_DELAY = 2_000;
/** A server that asks for more patience than this is not waited for: the user is notified, and decides. */
const LONGEST_DELAY = 60_000;

/** The codes of errors that may be gone a moment later. */
const MAY_PASS: ReadonlySet<string> = new Set([
  'rate-limited',
  'overloaded',
  'server-error',
  'network',
  'timeout',
]);

/** A request failed for a reason that may pass, and another follows. */
export interface Retry {
  /** 1 for the first request that failed. */
  readonly attempt: number;
  /** How many further requests there are at most. */
  readonly maxRetries: number;
  /** Milliseconds until the next. */
  readonly delay: number;
  readonly error: AnswerError;
}

export interface RetryOptions {
  readonly maxRetries: number;
  readonly modelLabel: string;
  /** Ends a wait at once. */
  readonly signal: AbortSignal;
  readonly scheduler: Scheduler;
  readonly onRetry: (retry: Retry) => void;
  /** Shared by those who ask one server at once. */
  readonly pace?: RequestPace | undefined;
}

/** The codes of errors of a server that others should not ask just now either. */
const FOR_ALL: ReadonlySet<string> = new Set(['rate-limited', 'overloaded']);

/**
 * Makes a model ask again when a request failed before its first word for a reason that may pass: too many requests, a
 * server in trouble, no network. The AI SDK can do so as well, but tells nobody that it waits, nor for how long.
 */
export function retrying(model: OpenedModel, options: RetryOptions): OpenedModel {
  const { maxRetries, modelLabel, signal, scheduler, onRetry, pace } = options;
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const ask = async () => begun(await doStream());
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await (pace ? pace.begin(ask, signal) : ask());
          } catch (error) {
            signal.throwIfAborted();
            const described = describeModelError(error, modelLabel);
            const delay = delayAfter(error, described, attempt);
            if (delay === undefined || attempt > maxRetries) throw error;
            if (FOR_ALL.has(described.code)) pace?.limit(delay);
            onRetry({ attempt, maxRetries, delay, error: described });
            await pause(delay, signal, scheduler);
          }
        }
      },
    },
  });
}

/** Milliseconds to wait; undefined when it is no use to ask again. */
function delayAfter(error: unknown, { code }: AnswerError, attempt: number): number | undefined {
  if (!MAY_PASS.has(code)) return undefined;
  const failed = failedRequest(error);
  const asked = failed && askedDelay(failed);
  if (asked === undefined) return Math.min(FIRST_DELAY * 2 ** (attempt - 1), LONGEST_DELAY);
  return asked <= LONGEST_DELAY ? asked : undefined;
}

/** The parts of a stream that come before the model has said or done anything. */
const PREPARING: ReadonlySet<LanguageModelV4StreamPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  // The first event of Claude's stream.
  'custom',
  'raw',
]);

/**
 * The same stream once the model has begun. Servers that are overloaded begin a stream, and then end it with an error
 * before the first word; that is a request that failed.
 * @throws the error the stream begins with
 */
async function begun(result: LanguageModelV4StreamResult): Promise<LanguageModelV4StreamResult> {
  const reader = result.stream.getReader();
  const first: ReadableStreamReadResult<LanguageModelV4StreamPart>[] = [];
  for (;;) {
    const read = await reader.read();
    first.push(read);
    if (!read.done && read.value.type === 'error') {
      await reader.cancel().catch(() => undefined);
      throw read.value.error;
    }
    if (read.done || !PREPARING.has(read.value.type)) break;
  }
  const stream = new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        const { done, value } = first.shift() ?? (await reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead of its reader, so that a stop takes effect at the next word.
    { highWaterMark: 0 },
  );
  return { ...result, stream };
}
