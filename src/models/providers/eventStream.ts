import { createParser, type EventSourceMessage } from 'eventsource-parser';

/**
 * The events of a body (https://html.spec.whatwg.org/#event-stream-interpretation). Unlike the standard's, the last
 * one may lack its blank line.
 */
export function readEvents(body: ReadableStream<Uint8Array>): ReadableStream<EventSourceMessage> {
  return body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new TransformStream<string, EventSourceMessage>(eventParser()));
}

function eventParser(): Transformer<string, EventSourceMessage> {
  let feed: (text: string) => void;
  return {
    start: (controller) => {
      const parser = createParser({
        onEvent: (event) => controller.enqueue(event),
        onError: ({ field, value }) => {
          // llama.cpp used this field for errors in place of `data`.
          if (field === 'error' && value !== undefined) controller.enqueue({ event: 'error', data: value });
        },
      });
      feed = (text) => parser.feed(text);
    },
    transform: (text) => feed(text),
    flush: () => feed('\n\n'),
  };
}

export function writeEvent(data: string): string {
  return `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
}
