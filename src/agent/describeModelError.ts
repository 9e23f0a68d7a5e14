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

const MAX_SERVER_TEXT = 300;

/**
 * Puts any error of a model, its server or the network into words that tell the person what to do. What the server
 * said is passed on where it helps, cut short and without anything that looks like a key; refusals of a key are never
 * quoted, for some servers repeat it.
 */
export function describeModelError(error: unknown, modelLabel: string): AnswerError {
  if (RetryError.isInstance(error)) return describeModelError(error.lastError, modelLabel);
  if (error instanceof OffshootError) return { code: error.code, message: error.message };
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
    return {
      code: 'malformed-stream',
      message:
        'The model server sent something that is not part of its protocol. What had arrived is kept; try again, and ' +
        'if it comes back, check that the address is one of an OpenAI-compatible server.',
    };
  }
  if (InvalidResponseDataError.isInstance(error)) {
    return {
      code: 'incomplete',
      message: 'The model server ended the answer without finishing it. What had arrived is kept; try again.',
    };
  }
  if (NoOutputGeneratedError.isInstance(error)) {
    return {
      code: 'no-answer',
      message: 'The model ended its answer without a word. Try again, or pick another model.',
    };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return {
      code: 'timeout',
      message: 'The model server did not answer in time. Check that it is running, then try again.',
    };
  }
  const cause = networkCode(error);
  if (cause !== undefined) return describeNetwork(cause);
  return { code: 'unknown', message: `The answer failed${quoted(textOf(error))}. Try again.` };
}

function describeCall(error: APICallError, modelLabel: string): AnswerError {
  const status = error.statusCode;
  if (status === undefined) return describeNetwork(networkCode(error));
  if (status >= 200 && status < 300) {
    return {
      code: 'connection-lost',
      message:
        'The connection to the model server broke off in the middle of the answer. What had arrived is kept; try again.',
    };
  }
  return describeStatus({
    status,
    said: error.message,
    modelLabel,
    retryAfter: secondsToWait(error.responseHeaders),
  });
}

interface StatusReport {
  readonly status: number | undefined;
  readonly said: string;
  readonly modelLabel: string;
  readonly retryAfter: number | undefined;
}

function describeStatus({ status, said, modelLabel, retryAfter }: StatusReport): AnswerError {
  if (/context.?(length|window)|maximum context|too many tokens|prompt is too long/iu.test(said)) {
    return {
      code: 'context-too-long',
      message:
        `This conversation is longer than ${modelLabel} can read. Rewind to an earlier message, start a new chat, or ` +
        'pick a model with a larger context.',
    };
  }
  // Servers say it with different numbers.
  if (
    /(not|n't) support (the use of )?(tool|function)|support tool use|tools? (is|are) not supported/iu.test(
      said,
    )
  ) {
    return {
      code: 'no-tools',
      message: `${modelLabel} cannot use tools. Pick another model, or switch the tools off in the settings.`,
    };
  }
  if (
    status !== undefined &&
    status < 500 &&
    /image|vision|multimodal/iu.test(said) &&
    /(not|n't) (currently )?(support|accept|allow)|unsupported|no endpoints|text.only|must be a string/iu.test(
      said,
    )
  ) {
    return {
      code: 'no-images',
      message: `${modelLabel} takes no images${quoted(said)}. Pick a model that does, or ask without them.`,
    };
  }
  if (
    status !== undefined &&
    status < 500 &&
    /temperature/iu.test(said) &&
    /unsupported|(not|n't) (be )?(support|allow|set)|deprecat|only .*(default|1\b)/iu.test(said)
  ) {
    return {
      code: 'no-temperature',
      message: `${modelLabel} takes no temperature of one's own choice. Regenerate without one, or with another model.`,
    };
  }
  if (status !== undefined && status < 500 && /temperature/iu.test(said)) {
    return {
      code: 'temperature',
      message: `${modelLabel} does not take this temperature${quoted(said)}. Regenerate with another.`,
    };
  }
  // Some servers say so with status 400.
  if (status === 401 || /api.?key (is )?(not valid|invalid)|invalid api.?key/iu.test(said)) {
    return {
      code: 'unauthorized',
      message:
        'The model server asks for a key, or refused the one it got. Run “Offshoot: Set API Key…” and try again.',
    };
  }
  switch (status) {
    case 403:
      return {
        code: 'forbidden',
        message: `This key may not use ${modelLabel}. Pick another model, or set another key with “Offshoot: Set API Key…”.`,
      };
    case 402:
      return { code: 'quota', message: `The account of this key has no credit left${quoted(said)}.` };
    case 404:
      return {
        code: 'model-not-found',
        message:
          `The model server does not know ${modelLabel}${quoted(said)}. Pick another with “Offshoot: Select Model”, ` +
          'or check the address in the settings: most end in /v1.',
      };
    case 413:
      return {
        code: 'context-too-long',
        message: `This conversation is larger than the server of ${modelLabel} takes. Rewind to an earlier message or start a new chat.`,
      };
    case 429:
      if (/quota|billing|credit/iu.test(said)) {
        return { code: 'quota', message: `The account of this key has used up its quota${quoted(said)}.` };
      }
      return {
        code: 'rate-limited',
        message:
          retryAfter === undefined
            ? 'The model server asks for fewer requests. Wait a moment, then try again.'
            : `The model server asks for fewer requests. Wait ${retryAfter} s, then try again.`,
      };
    case undefined:
      return { code: 'refused', message: `The model server ended the answer with an error${quoted(said)}.` };
    default:
      if (status >= 300 && status < 400) {
        return {
          code: 'redirected',
          message:
            'The model server sends on to another address. Nothing was sent there; enter the final address in the settings.',
        };
      }
      if (status >= 500) {
        return {
          code: 'server-error',
          message: `The model server has a problem of its own (status ${status}${quoted(said)}). Try again in a while.`,
        };
      }
      return {
        code: 'refused',
        message: `The model server refused the request (status ${status}${quoted(said)}).`,
      };
  }
}

function describeNetwork(code: string | undefined): AnswerError {
  if (code !== undefined && /^(ENOTFOUND|EAI_)/u.test(code)) {
    return {
      code: 'network',
      message:
        'There is no such host. Check the address of the model server in the settings, and that this machine is online.',
    };
  }
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_/u.test(code)) {
    return {
      code: 'certificate',
      message: `The certificate of the model server is not trusted (${code}). Check the address, or add its authority to this machine.`,
    };
  }
  return {
    code: 'network',
    message:
      'The model server cannot be reached. Check that it is running and that its address in the settings is right.',
  };
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
