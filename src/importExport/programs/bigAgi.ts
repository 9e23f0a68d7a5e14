import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { attachedText } from '../attachedText.ts';
import { textPart, ToolCalls } from '../chatBuilder.ts';
import { textOf } from '../importBatch.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { chatOfMessages, type TreeMessage } from '../messageTree.ts';

// Conversations that big-AGI exported as JSON: one, or a backup of all with the settings of models, of which nothing
// is read. Messages are a list; those of version 1 are a text, later ones fragments. Known from the program's own
// sources of two generations: what they write (`chats.converters.ts`) and what fragments are (`chat.fragments.ts`).

const fragment = z.union([
  z.object({ part: z.object({ pt: z.literal('text'), text: z.string() }) }),
  z.object({ part: z.object({ pt: z.literal('ma'), aText: z.string() }) }),
  z.object({
    part: z.object({
      pt: z.literal('doc'),
      data: z.object({ text: z.string() }),
      l1Title: z.string().catch('file'),
    }),
  }),
  z.object({
    part: z.object({
      pt: z.literal('tool_invocation'),
      id: z.string(),
      invocation: z.union([
        z.object({ name: z.string(), args: z.string().nullish() }),
        z
          .object({ language: z.string(), code: z.string() })
          .transform((args) => ({ name: 'code_execution', args: JSON.stringify(args) })),
      ]),
    }),
  }),
  z.object({
    part: z.object({
      pt: z.literal('tool_response'),
      id: z.string(),
      error: z.union([z.boolean(), z.string()]).catch(false),
      response: z.object({ name: z.string().optional().catch(undefined), result: z.string() }),
    }),
  }),
  z.object({ part: z.object({ pt: z.enum(['error', 'image_ref', 'reference', 'annotations', 'ph']) }) }),
  z.unknown().transform(() => ({ part: { pt: 'other' } }) as const),
]);

const message = z.object({
  id: z.string().min(1),
  role: z.enum(['user', 'assistant', 'system']),
  text: z.string().optional().catch(undefined),
  fragments: z.array(fragment).optional().catch(undefined),
  originLLM: z.string().optional().catch(undefined),
  generator: z.object({ name: z.string() }).optional().catch(undefined),
  created: z.number().nullish().catch(undefined),
});
type Message = z.infer<typeof message>;

const conversation = z.object({
  id: z.string().min(1),
  systemPurposeId: z.string(),
  messages: z.array(z.unknown()),
  userTitle: z.string().nullish().catch(undefined),
  autoTitle: z.string().nullish().catch(undefined),
});

const backup = z.object({ conversations: z.array(z.unknown()) });

export const bigAgi: ProgramFormat = {
  program: 'big-agi',
  value: {
    detect: (value) =>
      conversation.safeParse(value).success ||
      backup.safeParse(value).data?.conversations.some((each) => conversation.safeParse(each).success) ===
        true,
    read: async (file, now) => {
      const value = tryParseJson(await textOf(file));
      const all = backup.safeParse(value).data?.conversations ?? [value];
      const read = all.flatMap((each) => conversation.safeParse(each).data ?? []);
      if (read.length === 0) throw new ImportError(defineMessage('{0} is no conversation', file.name));
      const chats = read.map((each) => readChat(each, now));
      // What of a backup is no conversation is said once.
      chats[0]?.report.add(
        defineMessage('Conversations that cannot be read, or are too large'),
        all.length - read.length,
      );
      return chats;
    },
  },
};

function readChat(given: z.infer<typeof conversation>, now: number): ForeignChat {
  const report = new ImportReport();
  const messages = new Map<string, TreeMessage>();
  let parentId: string | null = null;
  for (const each of given.messages) {
    const read = message.safeParse(each).data;
    if (!read) {
      report.add(defineMessage('Messages of an unknown kind'));
    } else if (read.role === 'system') {
      report.add(defineMessage('Instructions of the other program'));
    } else if (!messages.has(read.id)) {
      messages.set(read.id, {
        parentId,
        role: read.role,
        parts: partsOf(read, report),
        createdAt: read.created ?? undefined,
        model: read.generator?.name ?? read.originLLM,
      });
      parentId = read.id;
    }
  }
  const title = [given.userTitle, given.autoTitle].find((each) => typeof each === 'string' && each !== '');
  const facts = { title: title ?? undefined, currentId: parentId ?? undefined, now };
  const chat: PortableChat = chatOfMessages(messages, facts, report);
  return { source: { program: 'big-agi', ids: [given.id] }, chat, blobs: new Map(), report };
}

function partsOf({ text, fragments }: Message, report: ImportReport): UIMessagePart[] {
  if (!fragments) return textPart(text ?? '');
  const calls = new ToolCalls();
  const parts = fragments.flatMap(({ part }): UIMessagePart[] => {
    switch (part.pt) {
      case 'text':
        return textPart(part.text);
      case 'ma':
        if (part.aText === '') report.add(defineMessage('Reasoning that is encrypted'));
        return part.aText === '' ? [] : [{ type: 'reasoning', text: part.aText }];
      case 'doc':
        return [attachedText(part.l1Title, part.data.text)];
      case 'tool_invocation': {
        const { name, args } = part.invocation;
        calls.called(part.id, name, tryParseJson(args ?? '') ?? (args ? { arguments: args } : {}));
        return [];
      }
      case 'tool_response':
        return [calls.result(part.id, part.response.result, part.error !== false, part.response.name)];
      case 'error':
        report.add(defineMessage('Errors of the provider'));
        return [];
      case 'image_ref':
      case 'reference':
        report.add(defineMessage('Files that are not in the export'));
        return [];
      case 'annotations':
      case 'ph':
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
