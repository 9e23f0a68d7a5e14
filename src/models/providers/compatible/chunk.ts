import { z } from 'zod';
import { serverErrorText } from '../../errors/serverErrorText.ts';

/** Accepted forms of one answer chunk from compatible servers; a member of the wrong type is left out. */
const textOrNone = z.string().nullish().catch(undefined);
/**
 * Marks a signature that came with the function of a call (elsewhere it is in `extra_content`), so that it goes back
 * where it came from.
 */
const IN_FUNCTION = 'function:';

const count = z.number().nullish().catch(undefined);

const called = z.looseObject({
  name: textOrNone,
  arguments: z
    .unknown()
    .transform((given) => (typeof given === 'object' && given !== null ? JSON.stringify(given) : given))
    .pipe(textOrNone)
    .optional(),
  thought_signature: textOrNone,
});

const toolCall = z
  .looseObject({
    index: z.number().nullish().catch(undefined),
    id: textOrNone,
    function: called.catch({ name: undefined, arguments: undefined, thought_signature: undefined }),
  })
  .transform((call) => {
    const { thought_signature: signature, ...rest } = call.function;
    return typeof signature === 'string' && signature !== ''
      ? { ...call, function: rest, extra_content: { google: { thought_signature: IN_FUNCTION + signature } } }
      : call;
  });

const delta = z
  .looseObject({
    role: z
      .unknown()
      .transform(() => 'assistant' as const)
      .optional(),
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string() }))])
      .nullish()
      .catch(undefined),
    reasoning_content: textOrNone,
    reasoning: textOrNone,
    tool_calls: z.array(toolCall).nullish().catch(undefined),
    function_call: called.nullish().catch(undefined),
  })
  // The older form, with one call.
  .transform(({ function_call: single, ...rest }) =>
    single === null || single === undefined || (rest.tool_calls?.length ?? 0) > 0
      ? rest
      : { ...rest, tool_calls: [{ index: 0, function: single }] },
  )
  .nullish()
  .catch(undefined);

const chunk = z.looseObject({
  id: textOrNone,
  created: count,
  model: textOrNone,
  choices: z
    .array(z.looseObject({ delta, message: delta, finish_reason: textOrNone }))
    .catch([])
    // A server that does not stream sends the whole message in place of a piece.
    .transform((choices) =>
      choices.map(({ delta: piece, message, ...choice }) => ({
        ...choice,
        delta: piece ?? indexed(message),
      })),
    ),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(undefined),
      completion_tokens_details: z
        .looseObject({
          reasoning_tokens: count,
          accepted_prediction_tokens: count,
          rejected_prediction_tokens: count,
        })
        .nullish()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

/** Calls of a whole message are numbered by their order; streamed pieces name their number. */
function indexed(message: z.infer<typeof delta>): z.infer<typeof delta> {
  if (!message?.tool_calls) return message;
  return { ...message, tool_calls: message.tool_calls.map((call, index) => ({ ...call, index })) };
}

export interface ErrorChunk {
  readonly error: { readonly message: string; readonly type?: string; readonly code?: number };
}

/** A chunk, or a whole answer, in the protocol's form, so that readers need not know other forms. */
export function readableChunk(body: unknown): object | undefined {
  const read = chunk.safeParse(body).data;
  if (read === undefined) return undefined;
  const { error: _none, ...rest } = read;
  return rest;
}

/** The error in an event, in any known form; undefined if there is none. */
export function errorIn(body: unknown, event?: string): ErrorChunk | undefined {
  const isNamed = event === 'error';
  if (isNamed && typeof body === 'string') return { error: { message: body } };
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, choices, message, detail } = body as Readonly<Record<string, unknown>>;
  const isError =
    isNamed ||
    (error !== undefined && error !== null && error !== false) ||
    (choices === undefined && (typeof message === 'string' || detail !== undefined));
  if (!isError) return undefined;
  const { text, codes, status } = serverErrorText(body);
  return {
    error: {
      message: text,
      ...(codes === '' ? {} : { type: codes }),
      ...(status === undefined ? {} : { code: status }),
    },
  };
}

const sentCall = z.looseObject({
  function: z.looseObject({}),
  extra_content: z.looseObject({
    google: z.looseObject({ thought_signature: z.string().startsWith(IN_FUNCTION) }),
  }),
});

/** The messages of a request, with signatures where this server had them. */
export function withSignaturesInPlace(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: unknown) => {
    const read = z.looseObject({ tool_calls: z.array(z.unknown()) }).safeParse(message).data;
    return read === undefined ? message : { ...read, tool_calls: read.tool_calls.map(signatureInPlace) };
  });
}

function signatureInPlace(call: unknown): unknown {
  const read = sentCall.safeParse(call).data;
  if (read === undefined) return call;
  const { extra_content: extra, ...rest } = read;
  const signature = extra.google.thought_signature.slice(IN_FUNCTION.length);
  return { ...rest, function: { ...rest.function, thought_signature: signature } };
}
