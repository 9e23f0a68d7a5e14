import { z } from 'zod';
import { errorIn } from '../compatible/chunk.ts';

/** A stand-in for the signature of thinking that came without one; with it, the AI SDK keeps the thinking. */
const UNSIGNED = 'offshoot:unsigned';
/** The same for a signature without a letter. */
const EMPTY = 'offshoot:empty';

const textOrNone = z.string().nullish().catch(undefined);
const count = z.number().nonnegative().nullish().catch(undefined);
const index = z.number().nullish().catch(undefined);

const usage = z
  .looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    output_tokens_details: z.looseObject({ thinking_tokens: count }).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined);

const named = z.looseObject({ type: z.string() });

const started = z.looseObject({
  message: z.looseObject({ id: textOrNone, model: textOrNone, usage }).nullish().catch(undefined),
});

/** Those that are read; of others, an answer is complete without them. */
const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: textOrNone }),
  z.object({ type: z.literal('thinking'), thinking: textOrNone, signature: textOrNone }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  }),
]);
type Block = z.infer<typeof block>;

const delta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), text: z.string() }),
  z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.object({ type: z.literal('signature_delta'), signature: z.string() }),
  z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
]);

const blockStart = z.looseObject({ index, content_block: named });
const blockDelta = z.looseObject({ index, delta: named });
const blockStop = z.looseObject({ index });

const messageDelta = z.looseObject({
  delta: z.looseObject({ stop_reason: textOrNone, stop_sequence: textOrNone }).nullish().catch(undefined),
  usage,
});

const wholeMessage = z.looseObject({
  type: z.literal('message'),
  content: z.array(z.unknown()),
  stop_reason: textOrNone,
});

interface OpenBlock {
  readonly type: Block['type'];
  signature: 'none' | 'empty' | 'given';
}

/** An event of Anthropic's stream: https://docs.claude.com/en/docs/build-with-claude/streaming */
export type AnthropicEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/**
 * Reads the stream of a server that speaks Anthropic's protocol roughly: what it does not know it passes over, and what
 * is missing it fills in.
 */
export class AnthropicEvents {
  private readonly open = new Map<number, OpenBlock>();
  private readonly passed = new Set<number>();
  private readonly told = new Set<string>();
  private last = -1;
  private hasBegun = false;
  private hasReason = false;
  private hasStopped = false;

  /** @param onPassedOver is told the name of each unknown thing once */
  constructor(private readonly onPassedOver: (what: string) => void) {}

  /** The events in the form of the protocol; the first is the message's start, or an error. */
  read(body: unknown, name?: string): readonly AnthropicEvent[] {
    const events = this.eventsIn(body, name);
    const [first] = events;
    if (first === undefined || first.type === 'ping' || first.type === 'error') return events;
    return first.type === 'message_start' ? events : [...this.begin(), ...events];
  }

  /** The start of the message, unless it has been there. */
  begin(): readonly AnthropicEvent[] {
    const events = this.hasBegun ? [] : [startEvent(undefined)];
    this.hasBegun = true;
    return events;
  }

  private eventsIn(body: unknown, name: string | undefined): readonly AnthropicEvent[] {
    const { type } = named.safeParse(body).data ?? {};
    const error = type === 'error' || type === undefined ? errorIn(body, name) : undefined;
    if (error) return [errorEvent(error.error)];
    switch (type) {
      case 'message_start':
        this.hasBegun = true;
        return [startEvent(body)];
      case 'content_block_start':
        return this.start(body);
      case 'content_block_delta':
        return this.delta(body);
      case 'content_block_stop':
        return this.stop(blockStop.safeParse(body).data?.index ?? this.last);
      case 'message_delta':
        return [this.end(body)];
      case 'message_stop':
        this.hasStopped = true;
        return [{ type }];
      case 'ping':
        return [{ type }];
      default:
        this.passOver(`event ${type ?? name ?? 'without a type'}`);
        return [];
    }
  }

  /** What the stream lacks when it has ended; undefined if it was cut. */
  finish(): readonly AnthropicEvent[] | undefined {
    if (this.hasStopped) return [];
    return this.hasReason ? [{ type: 'message_stop' }] : undefined;
  }

  /** A message that came whole although a stream was asked for; undefined if it is none. */
  whole(body: unknown): readonly AnthropicEvent[] | undefined {
    const message = wholeMessage.safeParse(body).data;
    if (message === undefined) return undefined;
    return [
      startEvent({ message }),
      ...message.content.flatMap((content_block, at) => [
        ...this.start({ index: at, content_block }),
        ...this.stop(at),
      ]),
      this.end({ delta: { stop_reason: message.stop_reason ?? 'end_turn' }, usage: message['usage'] }),
      { type: 'message_stop' },
    ];
  }

  private start(body: unknown): AnthropicEvent[] {
    const event = blockStart.safeParse(body).data;
    const at = event?.index ?? this.last + 1;
    this.last = at;
    const read = block.safeParse(event?.content_block).data;
    if (read === undefined) {
      this.passed.add(at);
      this.passOver(`block ${event?.content_block.type ?? 'without a type'}`);
      return [];
    }
    this.open.set(at, { type: read.type, signature: 'none' });
    const started = (content_block: object): AnthropicEvent => ({
      type: 'content_block_start',
      index: at,
      content_block,
    });
    switch (read.type) {
      case 'text':
        return [started({ type: 'text', text: '' }), ...this.deltas(at, 'text_delta', 'text', read.text)];
      case 'thinking':
        return [
          started({ type: 'thinking', thinking: '' }),
          ...this.deltas(at, 'thinking_delta', 'thinking', read.thinking),
          ...(typeof read.signature === 'string' ? this.sign(at, read.signature) : []),
        ];
      case 'redacted_thinking':
        return [started(read)];
      case 'tool_use':
        return [started({ ...read, input: read.input ?? {} })];
    }
  }

  private deltas(
    at: number,
    type: string,
    member: string,
    text: string | null | undefined,
  ): AnthropicEvent[] {
    if (text === undefined || text === null || text === '') return [];
    return [{ type: 'content_block_delta', index: at, delta: { type, [member]: text } }];
  }

  private sign(at: number, signature: string): AnthropicEvent[] {
    const thinking = this.open.get(at);
    if (thinking && thinking.signature !== 'given') thinking.signature = signature === '' ? 'empty' : 'given';
    return this.deltas(at, 'signature_delta', 'signature', signature);
  }

  private delta(body: unknown): AnthropicEvent[] {
    const event = blockDelta.safeParse(body).data;
    const at = event?.index ?? Math.max(0, this.last);
    if (this.passed.has(at)) return [];
    const read = delta.safeParse(event?.delta).data;
    if (read === undefined) {
      this.passOver(`delta ${event?.delta.type ?? 'without a type'}`);
      return [];
    }
    const isOpen = this.open.has(at);
    switch (read.type) {
      case 'signature_delta':
        return isOpen ? this.sign(at, read.signature) : [];
      case 'input_json_delta':
        return isOpen ? [{ type: 'content_block_delta', index: at, delta: read }] : [];
      case 'text_delta':
      case 'thinking_delta': {
        // Some gateways begin a block with its first words.
        const type = read.type === 'text_delta' ? 'text' : 'thinking';
        const begun = isOpen ? [] : this.start({ index: at, content_block: { type } });
        return [...begun, { type: 'content_block_delta', index: at, delta: read }];
      }
    }
  }

  private stop(at: number): AnthropicEvent[] {
    const stopped = this.open.get(at);
    if (!stopped) return [];
    this.open.delete(at);
    const { type, signature } = stopped;
    const standIn =
      type !== 'thinking' || signature === 'given' ? '' : signature === 'none' ? UNSIGNED : EMPTY;
    return [
      ...this.deltas(at, 'signature_delta', 'signature', standIn),
      { type: 'content_block_stop', index: at },
    ];
  }

  private end(body: unknown): AnthropicEvent {
    const { delta: change, usage: counted } = messageDelta.safeParse(body).data ?? {};
    const { stop_reason: reason, stop_sequence: sequence } = change ?? {};
    if (typeof reason === 'string') this.hasReason = true;
    return {
      type: 'message_delta',
      delta: { stop_reason: reason ?? null, stop_sequence: sequence ?? null },
      usage: { ...counts(counted), output_tokens: counted?.output_tokens ?? 0 },
    };
  }

  private passOver(what: string): void {
    if (this.told.has(what)) return;
    this.told.add(what);
    this.onPassedOver(what);
  }
}

function startEvent(body: unknown): AnthropicEvent {
  const { message } = started.safeParse(body).data ?? {};
  const { id, model, usage: counted } = message ?? {};
  return {
    type: 'message_start',
    message: {
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof model === 'string' ? { model } : {}),
      usage: { ...counts(counted), input_tokens: counted?.input_tokens ?? 0 },
    },
  };
}

function counts(counted: z.infer<typeof usage>): Readonly<Record<string, unknown>> {
  const { output_tokens_details: details, ...rest } = counted ?? {};
  const names = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;
  return {
    ...Object.fromEntries(
      names.flatMap((name) => (typeof rest[name] === 'number' ? [[name, rest[name]]] : [])),
    ),
    ...(typeof details?.thinking_tokens === 'number'
      ? { output_tokens_details: { thinking_tokens: details.thinking_tokens } }
      : {}),
  };
}

function errorEvent({
  message,
  type = 'api_error',
  code,
}: NonNullable<ReturnType<typeof errorIn>>['error']): AnthropicEvent {
  return { type: 'error', error: { type, message, ...(code === undefined ? {} : { statusCode: code }) } };
}

const asked = z.looseObject({
  messages: z.array(z.looseObject({ content: z.unknown().optional() })),
});
const thinking = z.looseObject({ type: z.literal('thinking'), signature: z.string() });

/** The body of a request in which thinking has the signature it came with, or none. */
export function withOwnSignatures(body: unknown): unknown {
  const read = asked.safeParse(body).data;
  if (read === undefined) return body;
  return {
    ...read,
    messages: read.messages.map((message) =>
      Array.isArray(message.content) ? { ...message, content: message.content.map(ownSignature) } : message,
    ),
  };
}

function ownSignature(part: unknown): unknown {
  const read = thinking.safeParse(part).data;
  if (read === undefined) return part;
  const { signature, ...unsigned } = read;
  switch (signature) {
    case UNSIGNED:
      return unsigned;
    case EMPTY:
      return { ...unsigned, signature: '' };
    default:
      return part;
  }
}
