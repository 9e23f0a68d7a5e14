import { z } from 'zod';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { ChatBuilder, titleOf, SHOWN } from '../chatBuilder.ts';
import { chatgptContent, partsOfContent } from './chatgptContent.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures, type FindPicture } from '../keptPictures.ts';
import { inTreeOrder } from '../treeOrder.ts';
import type { ProgramFormat } from '../programFormat.ts';

// A conversation in ChatGPT's export: nodes by id, each with its parent.

const message = z.object({
  author: z.object({ role: z.string(), name: z.string().nullish().catch(undefined) }),
  create_time: z.number().nullish().catch(undefined),
  content: chatgptContent,
  recipient: z.string().nullish().catch(undefined),
  metadata: z
    .object({
      is_visually_hidden_from_conversation: z.boolean().optional().catch(undefined),
      model_slug: z.string().nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

const node = z.object({
  parent: z.string().nullish().catch(undefined),
  children: z.array(z.string()).optional().catch(undefined),
  message: z.unknown().optional(),
});
type Node = z.infer<typeof node>;

const conversation = z.object({
  id: z.string().nullish().catch(undefined),
  conversation_id: z.string().nullish().catch(undefined),
  title: z.string().nullish().catch(undefined),
  create_time: z.number().nullish().catch(undefined),
  current_node: z.string().nullish().catch(undefined),
  default_model_slug: z.string().nullish().catch(undefined),
  mapping: z.looseObject({}),
});

export const chatGpt: ProgramFormat = {
  program: 'chatgpt',
  item: {
    detect: (value) => typeof value === 'object' && value !== null && 'mapping' in value,
    read: readChat,
  },
};

async function readChat(value: unknown, now: number, find?: FindPicture): Promise<ForeignChat> {
  const read = conversation.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, 'the conversation');
  const report = new ImportReport();
  const reader = new ChatGptReader(read.data, report, now);
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(reader.chat(), blobs, report, find);
  const { id, conversation_id: conversationId, create_time: createTime } = read.data;
  const known = id ?? conversationId ?? `${createTime ?? ''}`;
  return { source: { program: 'chatgpt', ids: [known] }, chat, blobs, report };
}

class ChatGptReader {
  private readonly builder: ChatBuilder;
  private readonly nodes = new Map<string, Node>();
  /** For each node its message, or the message it follows. */
  private readonly messageOf = new Map<string, string | null>();
  private readonly calls = new Map<string, { toolName: string; input: unknown }>();
  private firstQuestion: string | undefined;

  constructor(
    private readonly given: z.infer<typeof conversation>,
    private readonly report: ImportReport,
    private readonly now: number,
  ) {
    this.builder = new ChatBuilder(now);
    for (const [id, each] of Object.entries(given.mapping)) {
      const read = node.safeParse(each).data;
      if (read) this.nodes.set(id, read);
      else report.add(defineMessage('Records of an unknown kind'));
    }
  }

  chat(): ForeignChat['chat'] {
    const { placed, orphans } = inTreeOrder(this.nodes, ({ parent }) => parent ?? null);
    this.report.add(defineMessage('Messages whose predecessor is missing, kept as first messages'), orphans);
    const parents = new Set(placed.map(({ parentId }) => parentId));
    for (const { id, parentId, record } of placed) {
      const above = parentId === null ? null : (this.messageOf.get(parentId) ?? null);
      this.messageOf.set(id, this.added(id, record, above, parentId, !parents.has(id)));
    }
    const { title, current_node: current } = this.given;
    const head = typeof current === 'string' ? this.messageOf.get(current) : undefined;
    return this.builder.build(title ?? this.firstQuestion, head ?? this.lastMessage(), this.now);
  }

  private lastMessage(): string | null {
    return [...this.messageOf.values()].findLast((id) => id !== null) ?? null;
  }

  private added(
    id: string,
    { message: node }: Node,
    parentId: string | null,
    aboveId: string | null,
    isEnd: boolean,
  ): string | null {
    if (node === null || node === undefined) return parentId;
    const read = message.safeParse(node).data;
    if (!read) {
      this.report.add(defineMessage('Messages of an unknown kind'));
      return parentId;
    }
    const { author, content, metadata, recipient, create_time: time } = read;
    const { role } = author;
    if (metadata?.is_visually_hidden_from_conversation === true || content.content_type === 'hidden') {
      this.report.add(defineMessage('Hidden messages'));
      return parentId;
    }
    if (role === 'system' || role === 'developer') {
      // Every conversation begins with an empty node.
      if (partsOfContent(content, new ImportReport()).length > 0) {
        this.report.add(defineMessage('Instructions of the other program'));
      }
      return parentId;
    }
    const parts = partsOfContent(content, this.report);
    const isCall = role === 'assistant' && typeof recipient === 'string' && recipient !== 'all';
    if (isCall && !isEnd) {
      this.calls.set(id, { toolName: recipient, input: { input: plainText(parts) } });
      return parentId;
    }
    const createdAt = typeof time === 'number' ? time * 1000 : this.createdAt();
    const model = metadata?.model_slug ?? this.given.default_model_slug ?? undefined;
    const shared = { key: id, parentId, createdAt, model };
    if (role === 'tool') return this.result(shared, id, aboveId, author.name ?? 'tool', parts);
    if (parts.length === 0) return parentId;
    if (role === 'user') this.firstQuestion ??= titleOf(plainText(parts));
    return this.builder.add({ ...shared, role: role === 'user' ? 'user' : 'assistant', parts });
  }

  /** A tool's result with its call, followed by its pictures: an answer has no pictures. */
  private result(
    shared: { key: string; parentId: string | null; createdAt: number },
    id: string,
    aboveId: string | null,
    name: string,
    parts: readonly UIMessagePart[],
  ): string {
    const { toolName, input } = (aboveId === null ? undefined : this.calls.get(aboveId)) ?? {
      toolName: name,
      input: {},
    };
    const call = { type: 'dynamic-tool', toolName: toolName.slice(0, 100), toolCallId: id, input } as const;
    const result: UIMessagePart = { ...call, state: 'output-available', output: plainText(parts) };
    const parentId = this.builder.add({ ...shared, role: 'assistant', parts: [result] });
    const shown = parts.filter(({ type }) => type === 'file');
    if (shown.length === 0) return parentId;
    return this.builder.add({
      ...shared,
      key: `${id}:shown`,
      parentId,
      role: 'user',
      parts: [SHOWN, ...shown],
    });
  }

  private createdAt(): number {
    const { create_time: time } = this.given;
    return typeof time === 'number' ? time * 1000 : this.now;
  }
}

function plainText(parts: readonly UIMessagePart[]): string {
  return parts.flatMap((part) => (part.type === 'text' && 'text' in part ? [part.text] : [])).join('\n\n');
}
