import { ModelError } from '../errors/modelErrors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

const KILOBYTE = 1_024;
const MEGABYTE = 1_024 * KILOBYTE;

/** How much of a server's response is read, in bytes. */
export interface ResponseLimits {
  /** For an error body: only its beginning is shown. */
  readonly error: number;
  /** For a body that is read whole, such as a list of models. */
  readonly whole: number;
  /** For one event of a stream: a word of an answer, or, from some servers, the whole input of a tool. */
  readonly event: number;
  /** For a whole stream. */
  readonly stream: number;
}

export const RESPONSE_LIMITS: ResponseLimits = {
  error: 64 * KILOBYTE,
  whole: 16 * MEGABYTE,
  event: 4 * MEGABYTE,
  stream: 256 * MEGABYTE,
};

/**
 * The same response with a bounded body: an error body ends early, any other fails with a ModelError
 * `response-too-large`. In both cases the connection is closed and the rest is not read.
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
  // These describe the body as it was sent over the network.
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  return new Response(body, { status, statusText, headers: kept });
}

/** The first bytes of a body; does not wait for the rest. */
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

/** Passes a body on, and closes its connection with the error that a check of the bytes throws. */
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
    // Do not read ahead of the reader.
    { highWaterMark: 0 },
  );
}

async function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  // Also close a connection that broke in the meantime.
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
 * An event ends with a blank line (https://html.spec.whatwg.org/#event-stream-interpretation), or, where each line is
 * a JSON value, at the end of its line.
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
