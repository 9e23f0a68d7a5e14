import { APICallError, StreamProviderError } from 'ai';
import { z } from 'zod';
import { serverErrorText, type ServerErrorText } from './serverErrorText.ts';

/** A request that a server refused, or an answer that a server ended with an error. */
export interface FailedRequest {
  /** From the response, or implied by the error in its stream; undefined when neither gives one. */
  readonly status: number | undefined;
  readonly words: ServerErrorText;
  readonly headers: Readonly<Record<string, string>>;
}

/** Some providers pass on a stream error as a plain object. */
const plainError = z.union([
  z.looseObject({ message: z.string() }),
  z.looseObject({ error: z.union([z.string(), z.looseObject({})]) }),
  z.looseObject({ detail: z.unknown() }).refine(({ detail }) => detail !== undefined),
]);

/** What the server sent with an error; undefined for errors of the network and of this program. */
export function failedRequest(error: unknown): FailedRequest | undefined {
  if (APICallError.isInstance(error)) {
    const { statusCode: status, responseHeaders: headers = {} } = error;
    if (status === undefined) return undefined;
    const words = serverErrorText(error.responseBody ?? '');
    return { status, words: words.text === '' ? { ...words, text: ownText(error) } : words, headers };
  }
  if (StreamProviderError.isInstance(error)) {
    const words = serverErrorText(error.data);
    const codes = [words.codes, error.type, error.code].filter((each) => each !== undefined).join(' ');
    const status = error.statusCode ?? words.status ?? statusOf(codes);
    return {
      status,
      words: { ...words, codes, text: words.text === '' ? error.message : words.text },
      headers: {},
    };
  }
  const isPlain = typeof error === 'object' && error !== null && !(error instanceof Error);
  if (!isPlain || !plainError.safeParse(error).success) return undefined;
  const words = serverErrorText(error);
  return { status: words.status ?? statusOf(words.codes), words, headers: {} };
}

/** The status an error in the middle of a stream would have had. */
function statusOf(codes: string): number | undefined {
  if (/overloaded|unavailable|server_error|internal|api_error/iu.test(codes)) return 503;
  if (/rate_?limit|resource_exhausted|too_many_requests/iu.test(codes)) return 429;
  if (/insufficient_quota|billing/iu.test(codes)) return 402;
  if (/authentication|invalid_api_key/iu.test(codes)) return 401;
  return undefined;
}

/** The library's own message is useful only if it read the body; else it is the name of the status. */
function ownText({ message, data }: APICallError): string {
  return data === undefined ? '' : message;
}

/**
 * Milliseconds a server asks to wait: from `retry-after-ms`, `retry-after` in seconds or as a date, Google's
 * `retryDelay`, or its message text. Undefined when it gives none.
 */
export function retryAfter({ headers, words }: FailedRequest): number | undefined {
  return (
    number(headers['retry-after-ms']) ??
    secondsOrDate(headers['retry-after']) ??
    words.retryDelay ??
    inWords(words.text)
  );
}

function number(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(\.\d+)?$/u.test(value) ? Number(value) : undefined;
}

function secondsOrDate(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = number(value);
  const delay = seconds === undefined ? Date.parse(value) - Date.now() : seconds * 1_000;
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}

/** “Please try again in 7.66s”, “in 6m0s”, “in 120ms”. */
function inWords(text: string): number | undefined {
  const match = /(?:try again|retry) in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)(ms|s))?/iu.exec(text);
  if (match === null) return undefined;
  const [, hours, minutes, amount, unit] = match;
  if (hours === undefined && minutes === undefined && amount === undefined) return undefined;
  const rest = Number(amount ?? 0) * (unit === 'ms' ? 1 : 1_000);
  return Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + rest;
}
