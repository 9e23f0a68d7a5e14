import { z } from 'zod';
import { ImportError } from '../engine/errors.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { ChatBuilder, titleOf } from './chatBuilder.ts';
import type { ImportReport } from './importReport.ts';

// What "Chat: Export Chat…" of VS Code writes: requests, each with the parts of its response. Only what is said is read;
// kinds of parts that are not known here are left out, because new ones come with every version.

const markdown = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);

const responsePart = z.union([
  z
    .object({ kind: z.literal('markdownContent'), content: markdown })
    .transform(({ content }) => said(content)),
  z
    .object({ kind: z.literal('thinking'), value: z.union([z.string(), z.array(z.string())]).optional() })
    .transform(({ value }) => thought([value ?? ''].flat().join(''))),
  z
    .object({
      kind: z.literal('toolInvocationSerialized'),
      pastTenseMessage: markdown.optional(),
      invocationMessage: markdown.optional(),
    })
    .transform(({ pastTenseMessage, invocationMessage }) =>
      done(pastTenseMessage ?? invocationMessage ?? ''),
    ),
  z
    .object({ kind: z.literal('inlineReference'), name: z.string().optional() })
    .transform(({ name }) => piece(name === undefined ? '' : `\`${name}\``)),
  z.object({ kind: z.undefined().optional(), value: z.string() }).transform(({ value }) => piece(value)),
  z.looseObject({}).transform(() => undefined),
]);

const request = z.object({
  message: z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]),
  response: z.array(responsePart).optional(),
  timestamp: z.number().optional().catch(undefined),
});

const exported = z.object({
  requests: z.array(request),
  customTitle: z.string().optional(),
});

export function isVsCodeChat(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'requests' in value && Array.isArray(value.requests);
}

/** @throws ImportError with the place of the first fault */
export function readVsCodeChat(value: unknown, now: number, report: ImportReport): PortableChat {
  const read = exported.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, 'the file');
  const { requests, customTitle } = read.data;
  const chat = new ChatBuilder(now);
  let parentId: string | null = null;
  for (const { message, response = [], timestamp = now } of requests) {
    const question: UIMessagePart[] = [{ type: 'text', text: message }];
    parentId = chat.add({ parentId, role: 'user', parts: question, createdAt: timestamp });
    const parts = joined(response);
    report.add(
      defineMessage('Parts of messages of an unknown kind'),
      response.filter((part) => part === undefined).length,
    );
    if (parts.length > 0) parentId = chat.add({ parentId, role: 'assistant', parts, createdAt: timestamp });
  }
  return chat.build(customTitle ?? titleOf(requests[0]?.message ?? ''), parentId, now);
}

/** A piece of the response: what is distinguished by nothing but its place is one text. */
interface Piece {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
}

const piece = (text: string): Piece => ({ type: 'text', text });
const said = (text: string): Piece => piece(text);
const thought = (text: string): Piece => ({ type: 'reasoning', text });
const done = (text: string): Piece => piece(text === '' ? '' : `\n\n_${text}_\n\n`);

function joined(pieces: readonly (Piece | undefined)[]): UIMessagePart[] {
  const parts: Piece[] = [];
  for (const each of pieces) {
    if (!each || each.text === '') continue;
    const last = parts.at(-1);
    if (last?.type === each.type) parts[parts.length - 1] = { ...last, text: last.text + each.text };
    else parts.push(each);
  }
  return parts.filter(({ text }) => text.trim() !== '').map((part) => ({ ...part }));
}
