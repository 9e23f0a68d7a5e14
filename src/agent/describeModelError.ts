import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  RetryError,
  StreamProviderError,
  TypeValidationError,
} from 'ai';
import { OffshootError } from '../engine/errors.ts';
import type { AnswerError } from './modelErrors.ts';
import { phrase } from '../engine/phrase.ts';
import { told } from './told.ts';

const MAX_SERVER_TEXT = 300;

/**
 * Puts any error of a model, its server or the network into words that tell the person what to do. What the server
 * said is passed on where it helps, cut short and without anything that looks like a key; refusals of a key are never
 * quoted, for some servers repeat it.
 */
export function describeModelError(error: unknown, modelLabel: string): AnswerError {
  if (RetryError.isInstance(error)) return describeModelError(error.lastError, modelLabel);
  const own = ownError(error);
  if (own) return told(own.code, own.phrase);
  if (APICallError.isInstance(error)) return describeCall(error, modelLabel);
  if (StreamProviderError.isInstance(error)) {
    return describeStatus({
      status: error.statusCode,
      said: error.message,
      modelLabel,
      retryAfter: undefined,
    });
  }
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return told(
      'malformed-stream',
      phrase(
        'The model server sent something that is not part of its protocol. What had arrived is kept; try again, and if it comes back, check that the address is one of an OpenAI-compatible server.',
      ),
    );
  }
  if (InvalidResponseDataError.isInstance(error)) {
    return told(
      'incomplete',
      phrase('The model server ended the answer without finishing it. What had arrived is kept; try again.'),
    );
  }
  if (NoOutputGeneratedError.isInstance(error)) {
    return told(
      'no-answer',
      phrase('The model ended its answer without a word. Try again, or pick another model.'),
    );
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return told(
      'timeout',
      phrase('The model server did not answer in time. Check that it is running, then try again.'),
    );
  }
  const cause = networkCode(error);
  if (cause !== undefined) return describeNetwork(cause);
  return told('unknown', phrase('The answer failed{0}. Try again.', quoted(textOf(error))));
}

function describeCall(error: APICallError, modelLabel: string): AnswerError {
  const status = error.statusCode;
  if (status === undefined) return describeNetwork(networkCode(error));
  if (status >= 200 && status < 300) {
    return told(
      'connection-lost',
      phrase(
        'The connection to the model server broke off in the middle of the answer. What had arrived is kept; try again.',
      ),
    );
  }
  return describeStatus({
    status,
    said: saidIn(error),
    modelLabel,
    retryAfter: secondsToWait(error.responseHeaders),
  });
}

/** What a server said of an error: its message, or the beginning of a body that is not as it should be. */
function saidIn({ message, data, responseBody = '' }: APICallError): string {
  const isOther = data === undefined && !/^\s*<|^\s*$/u.test(responseBody);
  return isOther ? `${message}: ${responseBody.slice(0, MAX_SERVER_TEXT)}` : message;
}

interface StatusReport {
  readonly status: number | undefined;
  readonly said: string;
  readonly modelLabel: string;
  readonly retryAfter: number | undefined;
}

function describeStatus({ status, said, modelLabel, retryAfter }: StatusReport): AnswerError {
  if (/context.?(length|window)|maximum context|too many tokens|prompt is too long/iu.test(said)) {
    return told(
      'context-too-long',
      phrase(
        'This conversation is longer than {0} can read. Rewind to an earlier message, start a new chat, or pick a model with a larger context.',
        modelLabel,
      ),
    );
  }
  // Servers say it with different numbers.
  if (
    /(not|n't) support (the use of )?(tool|function)|support tool use|tools? (is|are) not supported/iu.test(
      said,
    )
  ) {
    return told(
      'no-tools',
      phrase(
        '{0} cannot use tools. Pick another model, or switch the tools off in the settings.',
        modelLabel,
      ),
    );
  }
  if (
    status !== undefined &&
    status < 500 &&
    /image|vision|multimodal/iu.test(said) &&
    /(not|n't) (currently )?(support|accept|allow)|unsupported|no endpoints|text.only|must be a string/iu.test(
      said,
    )
  ) {
    return told(
      'no-images',
      phrase(
        '{0} takes no images{1}. Pick a model that does, or ask without them.',
        modelLabel,
        quoted(said),
      ),
    );
  }
  if (
    status !== undefined &&
    status < 500 &&
    /temperature/iu.test(said) &&
    /unsupported|(not|n't) (be )?(support|allow|set)|deprecat|only .*(default|1\b)/iu.test(said)
  ) {
    return told(
      'no-temperature',
      phrase(
        '{0} lets nobody choose its temperature. Regenerate without one, or with another model.',
        modelLabel,
      ),
    );
  }
  if (status !== undefined && status < 500 && /temperature/iu.test(said)) {
    return told(
      'temperature',
      phrase('{0} does not take this temperature{1}. Regenerate with another.', modelLabel, quoted(said)),
    );
  }
  // Some servers say so with status 400.
  if (status === 401 || /api.?key (is )?(not valid|invalid)|invalid api.?key/iu.test(said)) {
    return told(
      'unauthorized',
      phrase(
        'The model server asks for a key, or refused the one it got. Run “Offshoot: Set API Key…” and try again.',
      ),
    );
  }
  switch (status) {
    case 403:
      return told(
        'forbidden',
        phrase(
          'This key may not use {0}. Pick another model, or set another key with “Offshoot: Set API Key…”.',
          modelLabel,
        ),
      );
    case 402:
      return told('quota', phrase('The account of this key has no credit left{0}.', quoted(said)));
    case 404:
      return told(
        'model-not-found',
        phrase(
          'The model server does not know {0}{1}. Pick another with “Offshoot: Select Model”, or check the address in the settings: most end in /v1.',
          modelLabel,
          quoted(said),
        ),
      );
    case 413:
      return told(
        'context-too-long',
        phrase(
          'This conversation is larger than the server of {0} takes. Rewind to an earlier message or start a new chat.',
          modelLabel,
        ),
      );
    case 429:
      if (/quota|billing|credit/iu.test(said)) {
        return told('quota', phrase('The account of this key has used up its quota{0}.', quoted(said)));
      }
      return told(
        'rate-limited',
        retryAfter === undefined
          ? phrase('The model server asks for fewer requests. Wait a moment, then try again.')
          : phrase('The model server asks for fewer requests. Wait {0} s, then try again.', retryAfter),
      );
    case undefined:
      return told('refused', phrase('The model server ended the answer with an error{0}.', quoted(said)));
    default:
      if (status >= 300 && status < 400) {
        return told(
          'redirected',
          phrase(
            'The model server sends on to another address. Nothing was sent there; enter the final address in the settings.',
          ),
        );
      }
      if (status >= 500) {
        return told(
          'server-error',
          phrase(
            'The model server has a problem of its own (status {0}{1}). Try again in a while.',
            status,
            quoted(said),
          ),
        );
      }
      return told(
        'refused',
        phrase('The model server refused the request (status {0}{1}).', status, quoted(said)),
      );
  }
}

function describeNetwork(code: string | undefined): AnswerError {
  if (code !== undefined && /^(ENOTFOUND|EAI_)/u.test(code)) {
    return told(
      'network',
      phrase(
        'There is no such host. Check the address of the model server in the settings, and that this machine is online.',
      ),
    );
  }
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_/u.test(code)) {
    return told(
      'certificate',
      phrase(
        'The certificate of the model server is not trusted ({0}). Check the address, or add its authority to this machine.',
        code,
      ),
    );
  }
  return told(
    'network',
    phrase(
      'The model server cannot be reached. Check that it is running and that its address in the settings is right.',
    ),
  );
}

/** An error of this program, which others may have wrapped. */
function ownError(error: unknown): OffshootError | undefined {
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    if (current instanceof OffshootError) return current;
    seen.add(current);
  }
  return undefined;
}

/** The code of the network error at the bottom of a chain of causes. */
function networkCode(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    seen.add(current);
    if ('code' in current && typeof current.code === 'string' && /^[A-Z][A-Z0-9_]+$/u.test(current.code)) {
      return current.code;
    }
    // What fetch says when the other side hangs up in the middle of a body.
    if (current instanceof TypeError && current.message === 'terminated') return 'ECONNRESET';
  }
  return undefined;
}

/** `retry-after` in whole seconds; a date is read as the time until then. */
function secondsToWait(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const value = headers?.['retry-after'];
  if (value === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/u.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}

function textOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : '';
}

function quoted(said: string): string {
  const text = withoutKeys(said).replace(/\s+/gu, ' ').replace(/\.$/u, '').trim();
  if (text === '') return '';
  return `: ${text.length > MAX_SERVER_TEXT ? `${text.slice(0, MAX_SERVER_TEXT)}…` : text}`;
}

/** Blackens what looks like a key: bearer tokens, and long runs of letters and digits behind a usual prefix. */
function withoutKeys(text: string): string {
  return text
    .replace(/\bbearer\s+\S+/giu, 'Bearer …')
    .replace(/\b(sk|pk|gsk|key|AIza|xai)[-_][\w-]{6,}/gu, '$1-…')
    .replace(/\bAIza[\w-]{10,}/gu, 'AIza…');
}
