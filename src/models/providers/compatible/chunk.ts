import { z } from 'zod';
import { serverErrorText } from '../../errors/serverErrorText.ts';

/** Accepted forms of one answer chunk from compatible servers; a member of the wrong type is left out. */
const textOrNone = z.string().nullish().catch(undefined);
const count = z.number().nullish().catch(undefined);

const toolCall = z.looseObject({
  index: z.number().nullish().catch(undefined),
  id: textOrNone,
  function: z
    .looseObject({
      name: textOrNone,
      arguments: z
        .unknown()
        .transform((given) => (typeof given === 'object' && given !== null ? JSON.stringify(given) : given))
        .pipe(textOrNone)
        .optional(),
    })
    .catch({ name: undefined, arguments: undefined }),
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
  })
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
