import { z } from 'zod';
import type { Said } from '../said.ts';
import {
  halves,
  beginStream,
  INPUT_TOKENS,
  OUTPUT_TOKENS,
  pictureOf,
  sendJson,
  type Protocol,
  type Writing,
} from './wire.ts';

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string(), args: z.unknown() }).optional(),
  functionResponse: z
    .looseObject({
      id: z.string().optional(),
      name: z.string(),
      response: z.unknown(),
      parts: z
        .array(z.looseObject({ inlineData: z.object({ mimeType: z.string(), data: z.string() }) }))
        .optional(),
    })
    .optional(),
});
const contents = z.object({
  role: z.enum(['user', 'model', 'function']).default('user'),
  parts: z.array(part).default([]),
});
const body = z.object({
  systemInstruction: z.object({ parts: z.array(part) }).optional(),
  contents: z.union([z.array(contents), contents.transform((one) => [one])]),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .default([]),
});

const answered = z.object({ output: z.unknown().optional(), error: z.unknown().optional() });

export const geminiContents: Protocol = {
  name: 'Gemini',
  isFor: (path) => /:(?:streamGenerateContent|generateContent)$/u.test(path),
  read: (given, url) => {
    const [, model = '', method = ''] = /\/models\/([^/:]+):(\w+)$/u.exec(url.pathname) ?? [];
    const { systemInstruction, contents: all, tools } = body.parse(given);
    // What has no id is the next call of that name.
    const open: { readonly id: string; readonly name: string }[] = [];
    const own = (systemInstruction?.parts ?? []).flatMap(({ text }): Said[] =>
      text === undefined ? [] : [{ kind: 'text', who: 'system', text }],
    );
    return {
      protocol: 'Gemini',
      model,
      isStreamed: method === 'streamGenerateContent',
      said: [
        ...own,
        ...all.flatMap(({ role, parts }) =>
          parts.flatMap((each) => saidIn(role === 'model' ? 'assistant' : 'user', each, open)),
        ),
      ],
      tools: tools.flatMap(({ functionDeclarations }) =>
        (functionDeclarations ?? []).map(({ name }) => name),
      ),
      body: given,
    };
  },
  write: (writing) => (writing.request.isStreamed ? stream(writing) : whole(writing)),
};

function saidIn(
  who: 'user' | 'assistant',
  { text, thought, inlineData, functionCall, functionResponse }: z.infer<typeof part>,
  open: { readonly id: string; readonly name: string }[],
): Said[] {
  if (functionCall) {
    const { id = `call ${open.length}`, name, args } = functionCall;
    open.push({ id, name });
    return [{ kind: 'call', id, name, input: args }];
  }
  if (functionResponse) {
    const { name, response } = functionResponse;
    const at = open.findIndex((call) =>
      functionResponse.id === undefined ? call.name === name : call.id === functionResponse.id,
    );
    const [call] = at < 0 ? [] : open.splice(at, 1);
    const { output, error } = answered.safeParse(response).data ?? {};
    const value = output ?? error ?? response;
    return [
      {
        kind: 'result',
        id: functionResponse.id ?? call?.id ?? name,
        text: typeof value === 'string' ? value : JSON.stringify(value),
        ...(error === undefined ? {} : { isError: true }),
        pictures: (functionResponse.parts ?? []).map(({ inlineData: { mimeType, data } }) =>
          pictureOf(mimeType, data),
        ),
      },
    ];
  }
  if (inlineData) {
    return [{ kind: 'picture', who, picture: pictureOf(inlineData.mimeType, inlineData.data) }];
  }
  if (text === undefined) return [];
  return [thought === true ? { kind: 'reasoning', text } : { kind: 'text', who, text }];
}

interface Piece {
  readonly part: object;
  readonly said?: Said;
  /** The half after which a held answer says nothing more. */
  readonly isHalf?: true;
}

function piecesOf({ reasoning, text, calls }: Writing['reply']): Piece[] {
  const pieces: Piece[] = [];
  if (reasoning !== undefined) {
    pieces.push({ part: { text: reasoning, thought: true }, said: { kind: 'reasoning', text: reasoning } });
  }
  if (text !== undefined) {
    const [first, second] = halves(text);
    pieces.push(
      { part: { text: first }, isHalf: true },
      { part: { text: second }, said: { kind: 'text', who: 'assistant', text } },
    );
  }
  for (const { id, name, input } of calls) {
    pieces.push({
      part: { functionCall: { id, name, args: input }, thoughtSignature: 'c2lnbmVk' },
      said: { kind: 'call', id, name, input },
    });
  }
  return pieces;
}

async function stream({ response, request, reply, held, sent }: Writing): Promise<void> {
  beginStream(response);
  const event = (parts: readonly object[], members: object, end: object = {}): void => {
    const candidate = { content: { role: 'model', parts }, index: 0, ...members };
    const frame = { candidates: [candidate], modelVersion: request.model, responseId: reply.id, ...end };
    response.write(`data: ${JSON.stringify(frame)}\n\n`);
  };
  for (const { part: own, said, isHalf } of piecesOf(reply)) {
    event([own], {});
    if (said) sent(said);
    if (isHalf && reply.holds) {
      sent({ kind: 'text', who: 'assistant', text: halves(reply.text ?? '')[0] });
      await held();
      return;
    }
  }
  event([{ text: '' }], { finishReason: 'STOP' }, { usageMetadata: usageOf(reply) });
  response.end();
}

function whole({ response, request, reply, sent }: Writing): Promise<void> {
  const pieces = piecesOf(reply);
  const content = { role: 'model', parts: pieces.map((each) => each.part) };
  sendJson(response, {
    candidates: [{ content, index: 0, finishReason: 'STOP' }],
    modelVersion: request.model,
    responseId: reply.id,
    usageMetadata: usageOf(reply),
  });
  for (const { said } of pieces) if (said) sent(said);
  return Promise.resolve();
}

function usageOf({ inputTokens = INPUT_TOKENS }: Writing['reply']): object {
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: OUTPUT_TOKENS,
    totalTokenCount: inputTokens + OUTPUT_TOKENS,
  };
}
