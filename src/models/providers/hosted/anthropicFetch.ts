import { InvalidResponseDataError } from 'ai';
import type { EventSourceMessage } from 'eventsource-parser';
import { tryParseJson } from '../../../base/tryParseJson.ts';
import type { Fetch } from '../../requests/originFetch.ts';
import { readEvents, writeEvent } from '../eventStream.ts';
import { AnthropicEvents, withOwnSignatures } from './anthropicEvents.ts';

export interface AnthropicFetchOptions {
  readonly fetch: Fetch;
  /** Is told the name of what a response has that is not known. */
  readonly onPassedOver?: ((what: string) => void) | undefined;
}

/**
 * A `fetch` for Anthropic and for gateways in its place: requests have nothing that only Anthropic takes, and responses
 * follow its protocol.
 */
export function anthropicFetch({ fetch, onPassedOver = () => undefined }: AnthropicFetchOptions): Fetch {
  return async (input, init) => {
    if (typeof init?.body !== 'string') return fetch(input, init);
    const headers = new Headers(init.headers);
    // The AI SDK asks for what is not used here; gateways refuse what they do not know.
    headers.delete('anthropic-beta');
    const body = JSON.stringify(withOwnSignatures(JSON.parse(init.body)));
    const response = await fetch(input, { ...init, headers, body });
    return response.ok && response.body !== null ? readable(response, response.body, onPassedOver) : response;
  };
}

async function readable(
  response: Response,
  body: ReadableStream<Uint8Array>,
  onPassedOver: (what: string) => void,
): Promise<Response> {
  const events = new AnthropicEvents(onPassedOver);
  const { status, statusText, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (type.includes('json') && !type.includes('event-stream')) {
    const text = await response.text();
    const whole = events.whole(tryParseJson(text)) ?? events.read(tryParseJson(text), 'error');
    return new Response(whole.map(written).join(''), { headers: { 'content-type': 'text/event-stream' } });
  }
  const stream = readEvents(body)
    .pipeThrough(new TransformStream<EventSourceMessage, string>(eventReader(events)))
    .pipeThrough(new TextEncoderStream());
  return new Response(stream, { status, statusText, headers });
}

function eventReader(events: AnthropicEvents): Transformer<EventSourceMessage, string> {
  return {
    transform: ({ data, event }, controller) => {
      if (data === '[DONE]') return;
      const body = tryParseJson(data);
      if (body === undefined && event !== 'error') {
        // The reader of the answer handles invalid JSON once the message has begun, and has a message for it.
        for (const each of events.begin()) controller.enqueue(written(each));
        controller.enqueue(writeEvent(data));
      } else for (const each of events.read(body ?? data, event)) controller.enqueue(written(each));
    },
    flush: (controller) => {
      const rest = events.finish();
      if (rest === undefined) {
        throw new InvalidResponseDataError({ data: undefined, message: 'The stream ended early.' });
      }
      for (const each of rest) controller.enqueue(written(each));
    },
  };
}

function written(event: object): string {
  return writeEvent(JSON.stringify(event));
}
