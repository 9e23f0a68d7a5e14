import { z } from 'zod';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { attachedText } from '../attachedText.ts';
import { textPart, ToolCalls } from '../chatBuilder.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { chatOfMessages, type TreeMessage } from '../messageTree.ts';
import type { ProgramFormat } from '../programFormat.ts';

// A conversation in Claude.ai's export. Older exports are a list; in newer ones each message names its parent.

const inside = z.union([
  z.string(),
  z.array(z.union([z.object({ text: z.string() }), z.looseObject({}).transform(() => ({ text: '' }))])),
  z
    .unknown()
    .optional()
    .transform(() => ''),
]);

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string().nullish(),
    name: z.string(),
    input: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string().nullish(),
    name: z.string().nullish(),
    content: inside,
    is_error: z.boolean().nullish().catch(undefined),
  }),
  z.object({ type: z.literal('token_budget') }),
  z.looseObject({}).transform(() => ({ type: 'other' }) as const),
]);

const attachment = z.object({
  file_name: z.string().nullish().catch(undefined),
  extracted_content: z.string().nullish().catch(undefined),
});

const message = z.object({
  uuid: z.string().min(1),
  parent_message_uuid: z.string().nullish().catch(undefined),
  sender: z.enum(['human', 'assistant']),
  text: z.string().nullish().catch(undefined),
  content: z.array(block).nullish().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
  attachments: z.array(attachment).nullish().catch(undefined),
  files: z.array(z.unknown()).nullish().catch(undefined),
});
type Message = z.infer<typeof message>;

const conversation = z.object({
  uuid: z.string().min(1),
  name: z.string().nullish().catch(undefined),
  model: z.string().nullish().catch(undefined),
  current_leaf_message_uuid: z.string().nullish().catch(undefined),
  chat_messages: z.array(z.unknown()),
});

export const claudeAi: ProgramFormat = {
  program: 'claude-ai',
  item: {
    detect: (value) => typeof value === 'object' && value !== null && 'chat_messages' in value,
    read: async (value, now) => Promise.resolve(readChat(value, now)),
  },
};

function readChat(value: unknown, now: number): ForeignChat {
  const read = conversation.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, 'the conversation');
  const { uuid, name, model, chat_messages: list, current_leaf_message_uuid: leaf } = read.data;
  const report = new ImportReport();
  const given = readMessages(list, report);
  const messages = new Map(
    [...given].map(([id, record]): [string, TreeMessage] => [
      id,
      {
        parentId: record.parent_message_uuid ?? null,
        role: record.sender === 'human' ? 'user' : 'assistant',
        parts: partsOf(record, report),
        createdAt: Date.parse(record.created_at ?? ''),
        model: model ?? 'Claude',
      },
    ]),
  );
  const currentId = leaf ?? [...given.keys()].at(-1);
  const chat = chatOfMessages(messages, { title: name ?? undefined, currentId, now }, report);
  return { source: { program: 'claude-ai', ids: [uuid] }, chat, blobs: new Map(), report };
}

/** The parent id of a first message. */
const FIRST = '00000000-0000-4000-8000-000000000000';

function readMessages(given: readonly unknown[], report: ImportReport): Map<string, Message> {
  const messages = new Map<string, Message>();
  let before: string | undefined;
  for (const each of given) {
    const read = message.safeParse(each).data;
    if (!read) {
      report.add(defineMessage('Messages of an unknown kind'));
      continue;
    }
    const named = read.parent_message_uuid === FIRST ? null : read.parent_message_uuid;
    const parent = named === undefined ? (before ?? null) : named;
    if (!messages.has(read.uuid)) messages.set(read.uuid, { ...read, parent_message_uuid: parent });
    before = read.uuid;
  }
  return messages;
}

function partsOf({ text, content, attachments, files }: Message, report: ImportReport): UIMessagePart[] {
  report.add(defineMessage('Files that are not in the export'), files?.length ?? 0);
  const attached = (attachments ?? []).flatMap(({ file_name: name, extracted_content: extracted }) =>
    typeof extracted === 'string' && extracted !== '' ? [attachedText(name ?? 'file', extracted)] : [],
  );
  const blocks = content ?? [];
  const parts = blocks.length > 0 ? partsOfBlocks(blocks, report) : textPart(text ?? '');
  return [...attached, ...parts];
}

function partsOfBlocks(blocks: readonly z.infer<typeof block>[], report: ImportReport): UIMessagePart[] {
  const calls = new ToolCalls();
  let last = '';
  const parts = blocks.flatMap((each, index): UIMessagePart[] => {
    switch (each.type) {
      case 'text':
        return textPart(each.text);
      case 'thinking':
        return each.thinking === '' ? [] : [{ type: 'reasoning', text: each.thinking }];
      case 'tool_use':
        last = each.id ?? `call-${index}`;
        calls.called(last, each.name, each.input);
        return [];
      case 'tool_result': {
        const id = each.tool_use_id ?? (last === '' ? `call-${index}` : last);
        const { content } = each;
        const extracted =
          typeof content === 'string' ? content : content.map(({ text }) => text).join('\n\n');
        return [calls.result(id, extracted, each.is_error === true, each.name ?? 'tool')];
      }
      case 'token_budget':
        return [];
      case 'other':
        report.add(defineMessage('Parts of messages of an unknown kind'));
        return [];
    }
  });
  calls.reportOpen(report);
  return parts;
}
