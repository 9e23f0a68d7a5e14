import { z } from 'zod';
import { readDataUrl } from '../../base/dataUrl.ts';
import type { ForeignDatabase } from '../../base/foreignDatabase.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import { chatOfMessages, type TreeMessage } from '../messageTree.ts';
import { parsedRecord } from '../recordLines.ts';
import { answerParts, openWebUiOutput } from './openWebUiAnswer.ts';

// A chat that Open WebUI exported, alone or in a list of all: messages by id, each with the id of the one before it,
// and the id of the last one that was shown. Known from the program's own server (`serialize_output`), from the files
// by which LibreChat's importer of it is tested, and from tools that repair such exports.

const attached = z
  .object({ type: z.string().catch(''), url: z.string().catch('') })
  .catch({ type: '', url: '' });

const message = z.object({
  id: z.string().optional().catch(undefined),
  parentId: z.string().nullish().catch(undefined),
  role: z.enum(['user', 'assistant', 'system']),
  content: z.string().catch(''),
  output: openWebUiOutput.optional().catch(undefined),
  model: z.string().optional().catch(undefined),
  /** Seconds since 1970. */
  timestamp: z.number().optional().catch(undefined),
  files: z.array(attached).optional().catch(undefined),
  sources: z.array(z.unknown()).optional().catch(undefined),
  error: z.unknown().optional(),
  done: z.boolean().optional().catch(undefined),
});
type Message = z.infer<typeof message>;

const content = z.object({
  title: z.string().optional().catch(undefined),
  history: z
    .object({
      messages: z.record(z.string(), z.unknown()),
      currentId: z.string().nullish().catch(undefined),
    })
    .optional()
    .catch(undefined),
  /** The branch that was shown; the oldest exports have nothing else. */
  messages: z.array(z.unknown()).optional().catch(undefined),
});

const conversation = z.object({
  id: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  created_at: z.number().optional().catch(undefined),
  chat: content,
});

export const openWebUi: ProgramFormat = {
  program: 'open-webui',
  item: {
    detect: (value) => {
      const chat = conversation.safeParse(value).data?.chat;
      return chat?.history !== undefined || chat?.messages !== undefined;
    },
    read: readChat,
  },
  // The server's own, of which each chat is a row.
  database: {
    detect: (tables) => ['auth', 'chat', 'user'].every((each) => tables.has(each)),
    chats: chatsInDatabase,
  },
};

async function readChat(value: unknown, now: number): Promise<ForeignChat> {
  const read = conversation.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, 'the conversation');
  const { id, title, created_at: createdAt, chat } = read.data;
  const report = new ImportReport();
  const messages = new Map<string, TreeMessage>();
  for (const [key, parentId, given] of nodesOf(chat)) {
    const each = message.safeParse(given).data;
    if (!each) report.add(defineMessage('Messages of an unknown kind'));
    else messages.set(key, treeMessage(each, parentId, report));
  }
  const facts = {
    title: title ?? chat.title,
    currentId: chat.history?.currentId ?? undefined,
    now,
  };
  const blobs = new Map<string, Uint8Array>();
  const tree = await keepPictures(chatOfMessages(messages, facts, report), blobs, report);
  const known = id ?? [...messages.keys()][0] ?? `${createdAt ?? ''}`;
  return { source: { program: 'open-webui', ids: [known] }, chat: tree, blobs, report };
}

async function* chatsInDatabase(
  database: ForeignDatabase,
  now: number,
  keys?: ReadonlySet<string>,
): AsyncGenerator<ForeignChat> {
  for (const { id } of [...database.rows('chat', { columns: ['id'] })]) {
    if (typeof id !== 'string' || keys?.has(id) === false) continue;
    const columns = ['title', 'created_at', 'chat'];
    for (const { chat: text, ...row } of database.rows('chat', { columns, where: { id } })) {
      const chat = typeof text === 'string' ? parsedRecord(text) : undefined;
      if (conversation.safeParse({ ...row, id, chat }).success)
        yield await readChat({ ...row, id, chat }, now);
    }
  }
}

type Node = readonly [key: string, parentId: string | null | undefined, value: unknown];

/** A list says by its order what comes before a message; a history says it itself. */
function nodesOf({ history, messages = [] }: z.infer<typeof content>): Node[] {
  if (history) return Object.entries(history.messages).map(([key, value]) => [key, undefined, value]);
  const keys = messages.map((each, index) => message.safeParse(each).data?.id ?? `message ${index}`);
  return messages.map((value, index) => [keys[index] ?? '', keys[index - 1] ?? null, value]);
}

function treeMessage(given: Message, parentId: string | null | undefined, report: ImportReport): TreeMessage {
  const { role, timestamp, model } = given;
  return {
    parentId: parentId === undefined ? (given.parentId ?? null) : parentId,
    role: role === 'user' ? 'user' : 'assistant',
    parts: partsOf(given, report),
    createdAt: timestamp === undefined ? undefined : timestamp * 1000,
    model,
  };
}

function partsOf(given: Message, report: ImportReport): UIMessagePart[] {
  const { role, content: text, output, files = [], error, done, sources } = given;
  if (role === 'system') {
    report.add(defineMessage('Instructions of the other program'));
    return [];
  }
  if (error !== undefined && error !== null && error !== false)
    report.add(defineMessage('Errors of the provider'));
  if (role === 'assistant' && done === false) report.add(defineMessage('Answers that were not finished'));
  report.add(defineMessage('Sources that answers name'), sources?.length ?? 0);
  const pictures = files.filter(({ type, url }) => type === 'image' && url.startsWith('data:'));
  report.add(defineMessage('Files that are not in the export'), files.length - pictures.length);
  if (role === 'assistant') {
    // An answer has no pictures.
    report.add(defineMessage('Pictures that cannot be shown'), pictures.length);
    return answerParts(text, output, report);
  }
  return [
    ...pictures.map(({ url }): UIMessagePart => ({
      type: 'file',
      mediaType: readDataUrl(url)?.mediaType ?? '',
      url,
    })),
    ...(text.trim() === '' ? [] : [{ type: 'text', text } as const]),
  ];
}
