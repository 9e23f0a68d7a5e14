import { z } from 'zod';
import { ImportError } from '../../engine/errors.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { chainKey, ChatBuilder, titleOf } from '../chatBuilder.ts';
import { readSession, type SourceFile } from '../importBatch.ts';
import { addSessions, newestSessions } from '../sessionPlaces.ts';
import type { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { parsedRecord, recordLines } from '../recordLines.ts';
import type { ProgramFormat } from '../programFormat.ts';

// The output of VS Code's "Chat: Export Chat…", and its stored sessions: requests, each with the parts of its
// response. Only messages are read; unknown kinds of parts are left out, because every version adds new ones.

const markdown = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);

/** A tool's input and output as shown; only some tools have them. */
const details = z.object({
  input: z.string().optional().catch(undefined),
  output: z
    .array(z.object({ value: z.string() }).catch({ value: '' }))
    .optional()
    .catch(undefined),
  isError: z.boolean().optional().catch(undefined),
});

const toolInvocation = z
  .object({
    kind: z.literal('toolInvocationSerialized'),
    pastTenseMessage: markdown.optional(),
    invocationMessage: markdown.optional(),
    toolId: z.string().min(1).optional().catch(undefined),
    toolCallId: z.string().min(1).optional().catch(undefined),
    resultDetails: details.optional().catch(undefined),
  })
  .transform((call) => {
    const { toolId, toolCallId, resultDetails, pastTenseMessage, invocationMessage } = call;
    const text = pastTenseMessage ?? invocationMessage ?? '';
    if (toolId === undefined || toolCallId === undefined) return done(text);
    const output = (resultDetails?.output ?? []).map(({ value }) => value).join('\n');
    return {
      type: 'tool',
      part: calledTool(
        { toolName: toolId.slice(0, 100), toolCallId, input: inputOf(resultDetails?.input) },
        output === '' ? text : output,
        resultDetails?.isError === true,
      ),
    } as const;
  });

const responsePart = z.union([
  z
    .object({ kind: z.literal('markdownContent'), content: markdown })
    .transform(({ content }) => textPiece(content)),
  z
    .object({ kind: z.literal('thinking'), value: z.union([z.string(), z.array(z.string())]).optional() })
    .transform(({ value }) => thought([value ?? ''].flat().join(''))),
  toolInvocation,
  z
    .object({ kind: z.literal('inlineReference'), name: z.string().optional() })
    .transform(({ name }) => piece(name === undefined ? '' : `\`${name}\``)),
  z.object({ kind: z.undefined().optional(), value: z.string() }).transform(({ value }) => piece(value)),
  z.looseObject({}).transform(() => undefined),
]);

const request = z.object({
  message: z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]),
  response: z.array(responsePart).nullish(),
  timestamp: z.number().optional().catch(undefined),
  requestId: z.string().min(1).optional().catch(undefined),
  modelId: z.string().optional().catch(undefined),
  /** It follows a checkpoint that the user went back to: it is removed with the next message. */
  shouldBeRemovedOnSend: z.unknown().optional(),
});

const exported = z.object({
  requests: z.array(request),
  customTitle: z.string().optional().catch(undefined),
  sessionId: z.string().optional().catch(undefined),
});

export const vscode: ProgramFormat = {
  program: 'vscode',
  value: {
    detect: (value) =>
      typeof value === 'object' && value !== null && 'requests' in value && Array.isArray(value.requests),
    read: readVsCode,
  },
  // A session as a log of its changes.
  lines: { detect: (_lines, [first]) => isMutationLog(first), read: readVsCode },
  find: async ({ places, list, now }) => {
    const { files } = await places.list(places.vsCode.sessions);
    const sessions = files.filter(({ name }) => /\.jsonl?$/u.test(name));
    await addSessions(list, readVsCode, newestSessions('vscode', sessions, list), now);
  },
};

/** Reads either: which it is, the first line tells. */
export function readVsCode(file: SourceFile, now: number): Promise<ForeignChat[]> {
  return readSession('vscode', file, (text, report) => {
    const [line = ''] = text.split('\n', 1);
    const isLog = isMutationLog(parsedRecord(line));
    return readChat(isLog ? sessionOfLog(text, report) : parsedRecord(text), now, report);
  });
}

/** @throws ImportError with the location of the first error */
async function readChat(
  value: unknown,
  now: number,
  report: ImportReport,
): Promise<{ readonly chat: PortableChat; readonly id: string | undefined }> {
  const read = exported.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, 'the file');
  const { requests, customTitle, sessionId } = read.data;
  const chat = new ChatBuilder(now);
  let parentId: string | null = null;
  let current: string | null = null;
  let isLeft = false;
  for (const [index, each] of requests.entries()) {
    const { message, timestamp = now, modelId, shouldBeRemovedOnSend } = each;
    const requestId = each.requestId ?? (await chainKey(`request ${index}`, message));
    isLeft ||= shouldBeRemovedOnSend !== undefined && shouldBeRemovedOnSend !== null;
    const response = each.response ?? [];
    const question: UIMessagePart[] = [{ type: 'text', text: message }];
    parentId = chat.add({ key: requestId, parentId, role: 'user', parts: question, createdAt: timestamp });
    const parts = joined(response);
    report.add(
      defineMessage('Parts of messages of an unknown kind'),
      response.filter((part) => part === undefined).length,
    );
    if (parts.length > 0) {
      // An answer that was incomplete gets another key when complete.
      const key = await chainKey(requestId, parts);
      const answer = {
        key,
        parentId,
        role: 'assistant',
        parts,
        createdAt: timestamp,
        model: modelId,
      } as const;
      parentId = chat.add(answer);
    }
    if (!isLeft) current = parentId;
  }
  const title = customTitle ?? titleOf(requests[0]?.message ?? '');
  return { chat: chat.build(title, current, now), id: sessionId };
}

/** A piece of the response: adjacent pieces of one type are joined. */
interface Piece {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
}

interface Tool {
  readonly type: 'tool';
  readonly part: UIMessagePart;
}

const piece = (text: string): Piece => ({ type: 'text', text });
const textPiece = (text: string): Piece => piece(text);
const thought = (text: string): Piece => ({ type: 'reasoning', text });
const done = (text: string): Piece => piece(text === '' ? '' : `\n\n_${text}_\n\n`);

function calledTool(
  call: { toolName: string; toolCallId: string; input: unknown },
  output: string,
  isError: boolean,
): UIMessagePart {
  const called = { type: 'dynamic-tool', ...call } as const;
  return isError
    ? { ...called, state: 'output-error', errorText: output }
    : { ...called, state: 'output-available', output };
}

function inputOf(input: string | undefined): unknown {
  if (input === undefined) return {};
  const read = parsedRecord(input);
  return typeof read === 'object' && read !== null ? read : { input };
}

function joined(pieces: readonly (Piece | Tool | undefined)[]): UIMessagePart[] {
  const parts: (Piece | Tool)[] = [];
  for (const each of pieces) {
    if (!each || (each.type !== 'tool' && each.text === '')) continue;
    const last = parts.at(-1);
    if (each.type !== 'tool' && last?.type === each.type) {
      parts[parts.length - 1] = { ...last, text: last.text + each.text };
    } else parts.push(each);
  }
  return parts.flatMap((part): UIMessagePart[] => {
    if (part.type === 'tool') return [part.part];
    return part.text.trim() === '' ? [] : [{ ...part }];
  });
}

// Since 1.109 VS Code stores a session as a log: its first line holds the session, each further one a change.

const path = z.array(z.union([z.string(), z.int().min(0).max(1_000_000)])).max(100);

const entry = z.union([
  z.object({ kind: z.literal(0), v: z.unknown().optional() }),
  z.object({ kind: z.literal(1), k: path, v: z.unknown().optional() }),
  z.object({ kind: z.literal(2), k: path, v: z.array(z.unknown()).nullish(), i: z.int().min(0).optional() }),
  z.object({ kind: z.literal(3), k: path }),
]);

/** Members that would change every object. */
const forbidden = new Set<string | number>(['__proto__', 'constructor', 'prototype']);

function isMutationLog(value: unknown): boolean {
  return (
    entry.options[0].safeParse(value).success && typeof value === 'object' && value !== null && 'v' in value
  );
}

/** The session at the end of its log. @throws ImportError for a log without a beginning */
function sessionOfLog(text: string, report: ImportReport): unknown {
  let state: unknown;
  for (const value of recordLines(text, report)) {
    const read = entry.safeParse(value).data;
    const isDone = read !== undefined && (read.kind === 0 ? true : applied(state, read));
    if (read?.kind === 0) state = read.v;
    else if (!isDone) report.add(defineMessage('Records of an unknown kind'));
  }
  if (state === undefined) throw new ImportError(defineMessage('its beginning is missing'));
  return state;
}

type Change = Exclude<z.infer<typeof entry>, { kind: 0 }>;

/** @returns false for a change to something that does not exist */
function applied(state: unknown, change: Change): boolean {
  const last = change.k.at(-1);
  if (last === undefined || change.k.some((name) => forbidden.has(name))) return false;
  const parent = change.k.slice(0, -1).reduce<unknown>(memberOf, state);
  if (typeof parent !== 'object' || parent === null) return false;
  // An array may grow by one, not to an arbitrary length.
  if (Array.isArray(parent) && (typeof last !== 'number' || last > parent.length)) return false;
  const members = parent as Record<string | number, unknown>;
  switch (change.kind) {
    case 1:
      members[last] = change.v;
      return true;
    case 2: {
      const list: unknown = memberOf(parent, last) ?? (members[last] = []);
      if (!Array.isArray(list)) return false;
      if (change.i !== undefined) list.length = Math.min(list.length, change.i);
      for (const each of change.v ?? []) list.push(each);
      return true;
    }
    case 3:
      members[last] = undefined;
      return true;
  }
}

function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}
