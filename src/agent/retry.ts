import { APICallError, wrapLanguageModel } from 'ai';
import type { OpenedModel } from './chatModel.ts';
import { describeModelError } from './describeModelError.ts';
import type { AnswerError } from './modelErrors.ts';
import type { Scheduler } from './scheduler.ts';

/** The first wait in milliseconds; each further one is twice as long. */
const FIRST_DELAY = 2_000;
/** A server that asks for more patience than this is not waited for: the person is told, and decides. */
const LONGEST_DELAY = 60_000;

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
}

/**
 * Makes a model ask again when a request failed before its first word for a reason that may pass: too many requests, a
 * server in trouble, no network. The AI SDK can do so as well, but tells nobody that it waits, nor for how long.
 */
export function retrying(model: OpenedModel, options: RetryOptions): OpenedModel {
  const { maxRetries, modelLabel, signal, scheduler, onRetry } = options;
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await doStream();
          } catch (error) {
            signal.throwIfAborted();
            const described = describeModelError(error, modelLabel);
            const delay = delayAfter(error, described, attempt);
            if (delay === undefined || attempt > maxRetries) throw error;
            onRetry({ attempt, maxRetries, delay, error: described });
            await wait(delay, signal, scheduler);
          }
        }
      },
    },
  });
}

/** Milliseconds to wait; undefined when it is no use to ask again. */
function delayAfter(error: unknown, { code }: AnswerError, attempt: number): number | undefined {
  const delay = FIRST_DELAY * 2 ** (attempt - 1);
  // Models of VS Code have no status; their errors are ours.
  if (!APICallError.isInstance(error)) return code === 'rate-limited' ? delay : undefined;
  if (!error.isRetryable || code === 'quota') return undefined;
  const asked = askedDelay(error.responseHeaders);
  if (asked === undefined) return Math.min(delay, LONGEST_DELAY);
  return asked <= LONGEST_DELAY ? asked : undefined;
}

/** What the server asks for: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function askedDelay(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const value = headers?.['retry-after'];
  if (value === undefined) return undefined;
  const delay = /^\d+(\.\d+)?$/u.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}

async function wait(delay: number, signal: AbortSignal, scheduler: Scheduler): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = scheduler.after(delay, () => resolve(undefined));
  const stop = (): void => resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  await promise;
  timer.dispose();
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}
