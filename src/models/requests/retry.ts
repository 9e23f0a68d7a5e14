import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { retryAfter, failedRequest } from '../errors/failedRequest.ts';
import type { OpenedModel } from '../chatModel.ts';
import { describeModelError } from '../errors/describeModelError.ts';
import type { AnswerError } from '../errors/modelErrors.ts';
import type { Scheduler } from '../../base/scheduler.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Disposable } from '../../base/disposable.ts';

/** The first wait in milliseconds; each further one is twice as long. */
const FIRST_DELAY = 2_000;
/** The longest wait that is accepted; beyond it the user is notified and decides. */
const LONGEST_DELAY = 60_000;

/** Codes of errors that may soon pass. */
const MAY_PASS: ReadonlySet<string> = new Set([
  'rate-limited',
  'overloaded',
  'server-error',
  'network',
  'timeout',
]);

export interface Retry {
  /** 1 for the first request that failed. */
  readonly attempt: number;
  readonly maxRetries: number;
  /** Milliseconds until the next. */
  readonly delay: number;
  readonly error: AnswerError;
}

export interface RetryOptions {
  readonly maxRetries: number;
  readonly modelLabel: string;
  /** Ends a wait immediately. */
  readonly signal: AbortSignal;
  readonly scheduler: Scheduler;
  readonly onRetry: (retry: Retry) => void;
  /** Shared by callers that use one server at the same time. */
  readonly pace?: RequestPace | undefined;
}

/** Codes of errors that should also delay other requests to the server. */
const FOR_ALL: ReadonlySet<string> = new Set(['rate-limited', 'overloaded']);

/** Only before the first word, for a temporary reason. The AI SDK also retries, but does not report that it waits. */
export function retrying(model: OpenedModel, options: RetryOptions): OpenedModel {
  const { maxRetries, modelLabel, signal, scheduler, onRetry, pace } = options;
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const ask = async () => begun(await doStream());
        let hasRepeated = false;
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await (pace ? pace.begin(ask, signal) : ask());
          } catch (error) {
            signal.throwIfAborted();
            const described = describeModelError(error, modelLabel);
            const isRepeated: boolean = !hasRepeated && isBrokenCall(error);
            hasRepeated ||= isRepeated;
            const delay = isRepeated ? 0 : delayAfter(error, described, attempt);
            if (delay === undefined || (!isRepeated && attempt > maxRetries)) throw error;
            if (FOR_ALL.has(described.code)) pace?.limit(delay);
            onRetry({ attempt, maxRetries, delay, error: described });
            await pause(delay, signal, scheduler);
          }
        }
      },
    },
  });
}

/** Groq read no call in what its model wrote; the next time, the model mostly writes one: worth one more request. */
function isBrokenCall(error: unknown): boolean {
  return failedRequest(error)?.words.codes.includes('tool_use_failed') === true;
}

/** Milliseconds to wait; undefined when a retry is useless. */
function delayAfter(error: unknown, { code }: AnswerError, attempt: number): number | undefined {
  if (!MAY_PASS.has(code)) return undefined;
  const failed = failedRequest(error);
  const asked = failed && retryAfter(failed);
  if (asked === undefined) return Math.min(FIRST_DELAY * 2 ** (attempt - 1), LONGEST_DELAY);
  return asked <= LONGEST_DELAY ? asked : undefined;
}

/** The stream parts that come before any output of the model. */
const PREPARING: ReadonlySet<LanguageModelV4StreamPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  // The first event of Claude's stream.
  'custom',
  'raw',
]);

/**
 * Overloaded servers start a stream and end it with an error before the first word; that counts as a failed request.
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
    // Do not read ahead of the reader, so that a stop takes effect at the next word.
    { highWaterMark: 0 },
  );
  return { ...result, stream };
}

/**
 * Keeps parallel runs on one server from being refused together repeatedly. Once the server asks one of them to wait,
 * all wait that long, and then send one at a time: the next when the previous one was accepted.
 */
export class RequestPace {
  private readonly queue = new Sequencer();
  private isLimited = false;
  private until = 0;

  constructor(private readonly scheduler: Scheduler) {}

  /** Begins a request when allowed. @throws the reason of the signal */
  async begin<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!this.isLimited) return request();
    return this.queue.run(async () => {
      signal.throwIfAborted();
      for (let left = this.left(); left > 0; left = this.left()) await pause(left, signal, this.scheduler);
      return request();
    });
  }

  /** The server refused a request and must not be asked for this many milliseconds. */
  limit(delay: number): void {
    this.isLimited = true;
    this.until = Math.max(this.until, this.scheduler.now() + delay);
  }

  private left(): number {
    return this.until - this.scheduler.now();
  }
}

/** Waits, unless the signal fires. @throws the reason of the signal */
async function pause(delay: number, signal: AbortSignal, scheduler: Scheduler): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer: Disposable = scheduler.after(delay, () => resolve(undefined));
  const stop = (): void => resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  await promise;
  timer.dispose();
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}
