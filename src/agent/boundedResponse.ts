import { ModelError } from './modelErrors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

const KILOBYTE = 1_024;
const MEGABYTE = 1_024 * KILOBYTE;

/** How much is read of what a server sends, in bytes. */
export interface ResponseLimits {
  /** Of the body of an error: only its beginning is shown. */
  readonly error: number;
  /** Of a body that is read whole, such as a list of models. */
  readonly whole: number;
  /** Of one event of a stream: a word of an answer, or, from some, the whole input of a tool. */
  readonly event: number;
  /** Of a stream from its beginning to its end. */
  readonly stream: number;
}

export const RESPONSE_LIMITS: ResponseLimits = {
  error: 64 * KILOBYTE,
  whole: 16 * MEGABYTE,
  event: 4 * MEGABYTE,
  stream: 256 * MEGABYTE,
};

/**
 * The same response with no more of its body than a program can hold: an error's ends early, any other fails with a
 * ModelError `response-too-large`. Either way the connection is closed then, and the rest never read.
 */
export async function boundedResponse(
  response: Response,
  limits: ResponseLimits = RESPONSE_LIMITS,
): Promise<Response> {
  if (response.body === null) return response;
  if (!response.ok) return withBody(response, await startOf(response.body, limits.error));
  const type = response.headers.get('content-type') ?? '';
  const isStream = /text\/event-stream|application\/x-ndjson/iu.test(type);
  const check = isStream ? eventCheck(limits, /ndjson/iu.test(type)) : totalCheck(limits.whole);
  return withBody(response, checked(response.body, check));
}

function withBody(
  { status, statusText, headers }: Response,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
): Response {
  const kept = new Headers(headers);
  // They tell of the body as it came over the network.
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  return new Response(body, { status, statusText, headers: kept });
}

/** The first bytes of a body; what follows is not waited for. */
async function startOf(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const start = new Uint8Array(limit);
  let length = 0;
  const reader = body.getReader();
  while (length < limit) {
    const { done, value } = await reader.read();
    if (done) return start.slice(0, length);
    const fitting = value.subarray(0, limit - length);
    start.set(fitting, length);
    length += fitting.length;
  }
  await cancel(reader);
  return start;
}

/** Hands a body on, and closes its connection with the error that a check of some bytes throws. */
function checked(
  body: ReadableStream<Uint8Array>,
  check: (bytes: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        try {
          check(value);
        } catch (error) {
          await cancel(reader);
          throw error;
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead of its reader.
    { highWaterMark: 0 },
  );
}

async function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  // A connection that broke meanwhile is closed as well.
  await reader.cancel().catch(() => undefined);
}

function totalCheck(limit: number): (bytes: Uint8Array) => void {
  let total = 0;
  return ({ length }) => {
    total += length;
    if (total > limit) throw tooLarge(limit);
  };
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * An event ends with a blank line (https://html.spec.whatwg.org/#event-stream-interpretation), or, where each line is a
 * value of JSON, with its line.
 */
function eventCheck({ event, stream }: ResponseLimits, isLines: boolean): (bytes: Uint8Array) => void {
  const ofAll = totalCheck(stream);
  let inEvent = 0;
  let inLine = 0;
  let before = 0;
  return (bytes) => {
    ofAll(bytes);
    for (const byte of bytes) {
      inEvent += 1;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) inLine += 1;
      else if (byte !== LINE_FEED || before !== CARRIAGE_RETURN) {
        if (inLine === 0 || isLines) inEvent = 0;
        inLine = 0;
      }
      before = byte;
      if (inEvent > event) throw tooLarge(event);
    }
  };
}

function tooLarge(limit: number): ModelError {
  return new ModelError(
    'response-too-large',
    defineMessage(
      'The model server sent more than {0} MB at once. The connection was closed. Try again, or select another model.',
      Math.max(1, Math.round(limit / MEGABYTE)),
    ),
  );
}
