import type { EventSourceMessage } from 'eventsource-parser';
import { tryParseJson } from '../../../base/tryParseJson.ts';
import type { Fetch } from '../../requests/originFetch.ts';
import { readEvents, writeEvent } from '../eventStream.ts';
import { errorIn, readableChunk, withSignaturesInPlace } from './chunk.ts';
import { oneCallEach, refusesParallelCalls, takesOneCall } from './chatTemplates.ts';

/** What one server turned out not to support; kept by its caller, so that each failing request is made only once. */
export interface ServerQuirks {
  refusesStreamOptions?: boolean;
  refusesParallelCalls?: boolean;
  /** Every path is below `/v1` of the address. */
  isVersioned?: boolean;
}

export interface CompatibleFetchOptions {
  readonly fetch: Fetch;
  /** Removed from errors that arrive as an answer. */
  readonly key: string | undefined;
  /** Default: what is learned is forgotten with the model. */
  readonly quirks?: ServerQuirks;
  /** Extra JSON properties of each request. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** The most tokens in an answer; a question may ask for less. */
  readonly maxOutputTokens?: number | undefined;
}

/** A `fetch` for servers that roughly follow OpenAI's chat protocol: its responses follow that protocol. */
export function compatibleFetch({
  fetch,
  key,
  quirks = {},
  extraBody = {},
  maxOutputTokens,
}: CompatibleFetchOptions): Fetch {
  return async (input, init) => {
    if (typeof init?.body !== 'string') return fetch(input, init);
    const asked = JSON.parse(init.body) as Record<string, unknown>;
    if (maxOutputTokens !== undefined) {
      const wanted = asked['max_tokens'];
      asked['max_tokens'] = typeof wanted === 'number' ? Math.min(wanted, maxOutputTokens) : maxOutputTokens;
    }
    asked['messages'] = withSignaturesInPlace(asked['messages']);
    Object.assign(asked, extraBody);
    if (quirks.refusesStreamOptions === true) delete asked['stream_options'];
    const isSplit = quirks.refusesParallelCalls === true || takesOneCall(asked['model']);
    if (isSplit) asked['messages'] = oneCallEach(asked['messages']);
    const response = await fetch(input, { ...init, body: JSON.stringify(asked) });
    if (response.ok) return readable(response, key);
    const text = await response.text();
    if (!isSplit && refusesParallelCalls(text)) {
      quirks.refusesParallelCalls = true;
      asked['messages'] = oneCallEach(asked['messages']);
    } else if ('stream_options' in asked && response.status < 500 && text.includes('stream_options')) {
      quirks.refusesStreamOptions = true;
      delete asked['stream_options'];
    } else return withText(response, text);
    const again = await fetch(input, { ...init, body: JSON.stringify(asked) });
    return again.ok ? readable(again, key) : again;
  };
}

async function readable(response: Response, key: string | undefined): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return response;
  if (type.includes('json') && !type.includes('event-stream')) return wholeAnswer(response, key);
  const stream = readEvents(response.body)
    .pipeThrough(new TransformStream<EventSourceMessage, string>(eventReader(key)))
    .pipeThrough(new TextEncoderStream());
  const { status, statusText, headers } = response;
  return new Response(stream, { status, statusText, headers });
}

function eventReader(key: string | undefined): Transformer<EventSourceMessage, string> {
  return {
    transform: ({ data, event }, controller) => {
      const body = tryParseJson(data);
      const error = errorIn(body ?? data, event);
      if (error) controller.enqueue(writeEvent(withoutKey(JSON.stringify(error), key)));
      // The reader of the answer handles invalid JSON and has a message for it.
      else if (body === undefined) controller.enqueue(writeEvent(data));
      else {
        const chunk = readableChunk(body);
        if (chunk) controller.enqueue(writeEvent(JSON.stringify(chunk)));
      }
    },
  };
}

/** An answer that arrived whole although a stream was requested, or an error in the form of an answer. */
async function wholeAnswer(response: Response, key: string | undefined): Promise<Response> {
  const text = await response.text();
  const body = tryParseJson(text);
  const error = errorIn(body);
  if (error) {
    const { code: status = 400 } = error.error;
    return new Response(withoutKey(JSON.stringify(error), key), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  }
  const chunk = readableChunk(body);
  const events = chunk ? writeEvent(JSON.stringify(chunk)) : withoutKey(text, key);
  return new Response(events, { headers: { 'content-type': 'text/event-stream' } });
}

function withText({ status, statusText, headers }: Response, text: string): Response {
  return new Response(text, { status, statusText, headers });
}

function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key === '' ? text : text.replaceAll(key, '…');
}
