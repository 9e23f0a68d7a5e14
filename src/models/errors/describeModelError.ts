import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  RetryError,
  TypeValidationError,
} from 'ai';
import { retryAfter, failedRequest } from './failedRequest.ts';
import { describeStatus, quoted } from './describeStatus.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { AnswerError } from './modelErrors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { createNotice } from './notice.ts';

/**
 * The server's message is passed on, shortened and without anything that looks like a key; a refusal of a key is never
 * quoted, because some servers repeat the key.
 * @param protocol the name of what is spoken with the server
 */
export function describeModelError(
  error: unknown,
  modelLabel: string,
  protocol = 'OpenAI Chat Completions',
): AnswerError {
  if (RetryError.isInstance(error)) return describeModelError(error.lastError, modelLabel, protocol);
  const own = ownError(error);
  if (own) return createNotice(own.code, own.descriptor);
  const failed = failedRequest(error);
  if (failed) {
    if (failed.status !== undefined && failed.status >= 200 && failed.status < 300) return connectionLost();
    return describeStatus({
      status: failed.status,
      serverText: failed.words.text,
      codes: failed.words.codes,
      modelLabel,
      protocol,
      delay: retryAfter(failed),
    });
  }
  if (APICallError.isInstance(error)) return describeNetwork(networkCode(error));
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return {
      ...createNotice(
        'malformed-stream',
        defineMessage(
          'The model server sent data that isn’t part of its protocol ({0}). If it happens again, check that the address is one of a server that speaks it.',
          protocol,
        ),
      ),
      ifPartSaved: defineMessage(
        'The model server sent data that isn’t part of its protocol ({0}). Partial response saved. If it happens again, check that the address is one of a server that speaks it.',
        protocol,
      ),
    };
  }
  if (InvalidResponseDataError.isInstance(error)) {
    return {
      ...createNotice('incomplete', defineMessage('The model server ended its response early.')),
      ifPartSaved: defineMessage('The model server ended its response early. Partial response saved.'),
    };
  }
  if (NoOutputGeneratedError.isInstance(error)) return describeEmpty(modelLabel);
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return createNotice(
      'timeout',
      defineMessage('The model server didn’t respond in time. Check that it is running.'),
    );
  }
  const cause = networkCode(error);
  if (cause !== undefined) return describeNetwork(cause);
  return createNotice('unknown', defineMessage('The response failed{0}', quoted(textOf(error))));
}

export function describeEmpty(modelLabel: string): AnswerError {
  return createNotice(
    'no-answer',
    defineMessage('{0} returned an empty response. Try again, or select another model.', modelLabel),
  );
}

function connectionLost(): AnswerError {
  return {
    ...createNotice('connection-lost', defineMessage('Connection to the model server lost.')),
    ifPartSaved: LOST_LATER,
  };
}

const LOST_LATER = defineMessage('Connection to the model server lost. Partial response saved.');

function describeNetwork(code: string | undefined): AnswerError {
  if (code !== undefined && /^(ENOTFOUND|EAI_)/u.test(code)) {
    return createNotice(
      'network',
      defineMessage(
        'Model server not found. Check its address in the settings, and that this machine is online.',
      ),
    );
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return createNotice(
      'no-response',
      defineMessage('The model server stopped responding. Check that it is running.'),
    );
  }
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_/u.test(code)) {
    return createNotice(
      'certificate',
      defineMessage(
        'The certificate of the model server is not trusted ({0}). Check the address, or add its authority to this machine.',
        code,
      ),
    );
  }
  return {
    ...createNotice(
      'network',
      defineMessage(
        'Can’t reach the model server. Check that it is running, and its address in the settings.',
      ),
    ),
    // It could be reached until then.
    ifPartSaved: LOST_LATER,
  };
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

/** The code of the network error at the root of a chain of causes. */
export function networkCode(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    seen.add(current);
    if ('code' in current && typeof current.code === 'string' && /^[A-Z][A-Z0-9_]+$/u.test(current.code)) {
      return current.code;
    }
    // The message of fetch when the server hangs up in the middle of a body.
    if (current instanceof TypeError && current.message === 'terminated') return 'ECONNRESET';
  }
  return undefined;
}

function textOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : '';
}
