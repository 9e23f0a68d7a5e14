import { z } from 'zod';

export interface ServerErrorText {
  /** Its message to the user; empty if there is none. */
  readonly text: string;
  /** Machine-readable names of the error (`code`, `type`, `status`), joined: only for searching. */
  readonly codes: string;
  /** The status it would have had as a separate response, if the body names one. */
  readonly status: number | undefined;
  /** Milliseconds it asks to wait (Google's `RetryInfo`). */
  readonly retryDelay: number | undefined;
}

const NO_WORDS: ServerErrorText = { text: '', codes: '', status: undefined, retryDelay: undefined };

/** How deep errors may be nested: `{ error: { error: … } }`. */
const MAX_DEPTH = 6;

const record = z.record(z.string(), z.unknown());
const retryInfo = z.looseObject({ retryDelay: z.string().regex(/^\d+(?:\.\d+)?s$/u) });
const quotaFailure = z.looseObject({ violations: z.array(z.looseObject({ quotaId: z.string() })) });
/** What FastAPI, and with it vLLM, reports for a request it cannot read. */
const issue = z.looseObject({ msg: z.string(), loc: z.array(z.union([z.string(), z.number()])).optional() });

/**
 * Reads the message of an error's body, parsed or raw. It is in `error.message`, `error`, `message` or `detail`; a
 * router may keep that of the server behind it in `error.metadata.raw`.
 */
export function serverErrorText(body: unknown, depth = 0): ServerErrorText {
  if (depth > MAX_DEPTH) return NO_WORDS;
  if (typeof body === 'string') return readText(body, depth);
  if (Array.isArray(body)) return serverErrorText(body[0], depth + 1);
  const members = record.safeParse(body).data;
  if (members === undefined) return NO_WORDS;
  const inner = serverErrorText(members['error'], depth + 1);
  const own = [members['message'], detailText(members['detail'])].find(isText) ?? '';
  const behind = record.safeParse(members['metadata']).data?.['raw'];
  const raw = behind === undefined ? '' : serverErrorText(behind, depth + 1).text;
  const text = joined(inner.text === '' ? own : inner.text, raw);
  const codes = ['code', 'type', 'status'].map((name) => members[name]).filter(isCode);
  return {
    text,
    codes: [...codes.map(String), inner.codes, ...quotaNames(members['details'])].join(' ').trim(),
    status: inner.status ?? codes.map(Number).find(isErrorStatus),
    retryDelay: inner.retryDelay ?? delayIn(members['details']),
  };
}

function readText(text: string, depth: number): ServerErrorText {
  if (/^\s*[{[]/u.test(text)) {
    try {
      return serverErrorText(JSON.parse(text), depth + 1);
    } catch {
      // The beginning of a truncated body, or no JSON at all: shown unchanged.
    }
  }
  // An HTML page is useless to a user who asked a model.
  return { ...NO_WORDS, text: /^\s*</u.test(text) ? '' : text.trim() };
}

function detailText(detail: unknown): string | undefined {
  if (isText(detail)) return detail;
  const issues = z.array(issue).safeParse(detail).data;
  return issues?.map(({ msg, loc = [] }) => [loc.join('.'), msg].filter(isText).join(': ')).join('; ');
}

function joined(text: string, raw: string): string {
  if (raw === '' || text.includes(raw)) return text;
  return text === '' ? raw : `${text}: ${raw}`;
}

function delayIn(details: unknown): number | undefined {
  const given = listed(details).flatMap((each) => retryInfo.safeParse(each).data?.retryDelay ?? []);
  return given[0] === undefined ? undefined : Number.parseFloat(given[0]) * 1_000;
}

function quotaNames(details: unknown): string[] {
  return listed(details).flatMap(
    (each) => quotaFailure.safeParse(each).data?.violations.map(({ quotaId }) => quotaId) ?? [],
  );
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isCode(value: unknown): value is string | number {
  return isText(value) || typeof value === 'number';
}

function isErrorStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 400 && code <= 599;
}
