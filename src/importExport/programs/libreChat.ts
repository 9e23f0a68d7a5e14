import { z } from 'zod';
import { readDataUrl } from '../../base/dataUrl.ts';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { textPart, ToolCalls } from '../chatBuilder.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import { chatOfMessages, type TreeMessage } from '../messageTree.ts';
import { isTooDeep } from '../recordLines.ts';

// A conversation that LibreChat exported as JSON: a list of messages, each with the id of the one before it, or, where
// the export is recursive, with those after it as its children. Known from the program's own sources (the export of
// the client, `buildTree` of librechat-data-provider 0.8) and from the files by which its importer is tested.

const NO_PARENT = '00000000-0000-0000-0000-000000000000';

/** The deepest nesting of what a tool was given or a message consists of. */
const MAX_DEPTH = 100;

const words = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);

const toolCall = z.union([
  z.object({
    id: z.string().optional().catch(undefined),
    name: z.string(),
    args: z.unknown().optional(),
    output: z.string().nullish().catch(undefined),
  }),
  z
    .object({
      id: z.string().optional().catch(undefined),
      function: z.object({
        name: z.string(),
        arguments: z.unknown().optional(),
        output: z.string().nullish().catch(undefined),
      }),
    })
    .transform(({ id, function: { name, arguments: args, output } }) => ({ id, name, args, output })),
  z
    .object({
      id: z.string().optional().catch(undefined),
      code_interpreter: z.object({ input: z.string(), outputs: z.array(z.unknown()).catch([]) }),
    })
    .transform(({ id, code_interpreter: { input, outputs } }) => ({
      ...{ id, name: 'code_interpreter', args: { input } },
      output: outputs.length === 0 ? '' : JSON.stringify(outputs),
    })),
]);

const part = z.union([
  z.object({ type: z.literal('text'), text: words }),
  z.object({ type: z.literal('think'), think: words }),
  z.object({ type: z.literal('tool_call'), tool_call: toolCall }),
  z.object({ type: z.literal('error') }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]),
  }),
  z.object({ type: z.literal('image_file') }),
  z.object({ type: z.literal('agent_update') }),
  z.unknown().transform(() => ({ type: 'other' }) as const),
]);

const message = z.object({
  messageId: z.string().min(1),
  parentMessageId: z.string().nullish().catch(undefined),
  isCreatedByUser: z.boolean(),
  text: z.string().nullish().catch(undefined),
  content: z.array(part).nullish().catch(undefined),
  model: z.string().nullish().catch(undefined),
  sender: z.string().nullish().catch(undefined),
  createdAt: z.string().nullish().catch(undefined),
  error: z.boolean().nullish().catch(undefined),
  unfinished: z.boolean().nullish().catch(undefined),
  files: z.array(z.unknown()).nullish().catch(undefined),
});
type Message = z.infer<typeof message>;

const conversation = z.object({
  conversationId: z.string().min(1),
  title: z.string().nullish().catch(undefined),
  messages: z.array(z.unknown()).optional(),
  messagesTree: z.array(z.unknown()).optional(),
  options: z
    .object({ model: z.string().nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
});

export const libreChat: ProgramFormat = {
  program: 'librechat',
  item: {
    detect: (value) =>
      typeof value === 'object' &&
      value !== null &&
      'conversationId' in value &&
      ('messages' in value || 'messagesTree' in value),
    nests: true,
    read: readChat,
  },
};

async function readChat(value: unknown, now: number): Promise<ForeignChat> {
  const read = conversation.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, 'the conversation');
  const { conversationId, title, messages: list, messagesTree: tree, options } = read.data;
  const report = new ImportReport();
  const messages = new Map<string, TreeMessage>();
  for (const { value: each, parentId } of flattened(tree ?? list ?? [])) {
    const given = isTooDeep(each, MAX_DEPTH) ? undefined : message.safeParse(each).data;
    if (!given) report.add(defineMessage('Messages of an unknown kind'));
    else if (!messages.has(given.messageId))
      messages.set(given.messageId, treeMessage(given, parentId, options?.model ?? undefined, report));
  }
  const facts = { title: title ?? undefined, currentId: undefined, now };
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(chatOfMessages(messages, facts, report), blobs, report);
  return { source: { program: 'librechat', ids: [conversationId] }, chat, blobs, report };
}

interface Flat {
  /** Without its children. */
  readonly value: unknown;
  /** Of whose children it is. */
  readonly parentId: string | undefined;
}

/** Each before its children, without recursion: a conversation nests as deep as it is long. */
function flattened(given: readonly unknown[]): Flat[] {
  const flat: Flat[] = [];
  const waiting: Flat[] = given.map((value) => ({ value, parentId: undefined })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, parentId } = next;
    if (typeof value !== 'object' || value === null) {
      flat.push(next);
      continue;
    }
    const { children, ...rest } = value as Record<string, unknown>;
    flat.push({ value: rest, parentId });
    if (!Array.isArray(children)) continue;
    const id = typeof rest['messageId'] === 'string' ? rest['messageId'] : parentId;
    waiting.push(...children.map((child: unknown) => ({ value: child, parentId: id })).reverse());
  }
  return flat;
}

function treeMessage(
  given: Message,
  holder: string | undefined,
  model: string | undefined,
  report: ImportReport,
): TreeMessage {
  const { parentMessageId: parent, isCreatedByUser, content, text, createdAt, files } = given;
  report.add(defineMessage('Files that are not in the export'), files?.length ?? 0);
  if (given.unfinished === true) report.add(defineMessage('Answers that were not finished'));
  const named = parent === NO_PARENT ? null : (parent ?? null);
  let parts: readonly UIMessagePart[] = [];
  if (given.error === true) report.add(defineMessage('Errors of the provider'));
  else parts = content && content.length > 0 ? partsOf(content, report) : textPart(text ?? '');
  return {
    // Where it stands says what comes before it, if it is nested.
    parentId: holder ?? named,
    role: isCreatedByUser ? 'user' : 'assistant',
    parts,
    createdAt: createdAt ? Date.parse(createdAt) : undefined,
    model: given.model ?? model ?? given.sender ?? undefined,
  };
}

function partsOf(content: readonly z.infer<typeof part>[], report: ImportReport): UIMessagePart[] {
  const calls = new ToolCalls();
  const parts = content.flatMap((each, index): UIMessagePart[] => {
    switch (each.type) {
      case 'text':
        return textPart(each.text);
      case 'think':
        return each.think === '' ? [] : [{ type: 'reasoning', text: each.think }];
      case 'tool_call': {
        const { id = `call-${index}`, name, args, output } = each.tool_call;
        calls.called(id, name, inputOf(args));
        return output === null || output === undefined ? [] : [calls.result(id, output)];
      }
      case 'image_url':
        return [
          { type: 'file', mediaType: readDataUrl(each.image_url)?.mediaType ?? '', url: each.image_url },
        ];
      case 'image_file':
        report.add(defineMessage('Files that are not in the export'));
        return [];
      case 'error':
        report.add(defineMessage('Errors of the provider'));
        return [];
      case 'agent_update':
        report.bookkeeping();
        return [];
      case 'other':
        report.add(defineMessage('Parts of messages of an unknown kind'));
        return [];
    }
  });
  calls.reportOpen(report);
  return parts;
}

function inputOf(args: unknown): unknown {
  return typeof args === 'string' ? (tryParseJson(args) ?? { arguments: args }) : args;
}
