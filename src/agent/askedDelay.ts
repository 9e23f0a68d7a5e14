import type { FailedRequest } from './failedRequest.ts';

/**
 * Milliseconds a server asks to wait: from `retry-after-ms`, `retry-after` in seconds or as a date, Google's
 * `retryDelay`, or its message text. Undefined when it gives none.
 */
export function askedDelay({ headers, words }: FailedRequest): number | undefined {
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
