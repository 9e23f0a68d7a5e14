import { ChatNotFoundError } from '../../engine/errors.ts';
import type { ChatData, ChatSummary } from '../../engine/graph.ts';
import type { OwnedBy } from '../../engine/users.ts';
import type { ChatChanges, ChatUpdate, ListChats, NewChat } from '../../engine/store.ts';
import type { UsageNumbers } from '../../engine/usage.ts';
import { changesOf, missingOf, sumUsage } from '../common/chatChanges.ts';
import { excerptOf, visibleText } from '../common/messageContent.ts';
import type { StoreAccess } from './storeAccess.ts';
import { chatOf, parsed, type ChatRow } from './wire.ts';

interface ListedRow {
  readonly chat: ChatRow;
  readonly message_count: number;
  readonly branch_count: number | null;
  readonly role: string | null;
  readonly data: string | null;
  readonly said_at: number | null;
}

/** A change is based on the chat as it was read, and is computed again if the chat has changed since. */
export class ChatUpdates {
  constructor(private readonly store: StoreAccess) {}

  async create(chat: NewChat): Promise<ChatData> {
    return chatOf(await this.store.write<ChatRow>('createChat', rowOf(chat)));
  }

  async upsert(chat: NewChat): Promise<ChatData> {
    const known = await this.read(chat.id, { userId: chat.userId });
    const found = known ?? (await this.store.write<ChatRow>('createChat', { ...rowOf(chat), orOpen: true }));
    // A chat shared for reading only is not changed.
    if (!missingOf(chatOf(found), chat) || !(await this.canWrite(chat.id))) return chatOf(found);
    return this.change(chat.id, (now) => missingOf(now, chat), false);
  }

  async get(chatId: string, options: OwnedBy): Promise<ChatData | undefined> {
    const row = await this.read(chatId, options);
    return row && chatOf(row);
  }

  update(chatId: string, update: ChatUpdate): Promise<ChatData> {
    return this.change(
      chatId,
      (chat) => (typeof update === 'function' ? changesOf(update, chat) : update),
      true,
    );
  }

  addUsage(chatId: string, usage: UsageNumbers): Promise<ChatData> {
    return this.change(
      chatId,
      ({ metadata }) => ({ metadata: { usage: sumUsage(metadata['usage'], usage) } }),
      true,
    );
  }

  async list({
    userId,
    metadata,
    limit,
    offset,
    details = true,
  }: ListChats): Promise<(ChatData | ChatSummary)[]> {
    if (metadata === undefined || Object.keys(metadata).length === 0) {
      return this.listed(userId, limit ?? null, offset ?? 0, details, null);
    }
    // Values are compared by their JSON text, which SQL cannot do; then those of the page are read.
    const all = await this.listed(userId, null, 0, false, null);
    const fitting = all.filter((chat) =>
      Object.entries(metadata).every(
        ([name, value]) => JSON.stringify(chat.metadata[name]) === JSON.stringify(value),
      ),
    );
    const page = fitting.slice(offset ?? 0, limit === undefined ? undefined : (offset ?? 0) + limit);
    if (!details || page.length === 0) return page;
    return this.listed(
      userId,
      null,
      0,
      true,
      page.map(({ id }) => id),
    );
  }

  private async listed(
    userId: string | undefined,
    limit: number | null,
    offset: number,
    details: boolean,
    ids: readonly string[] | null,
  ): Promise<(ChatData | ChatSummary)[]> {
    const values = [userId ?? null, false, limit, offset, details, ids];
    const rows = await this.store.rows<ListedRow>('list_chats($1, $2, $3, $4, $5, $6)', values);
    return rows.map((row) => (details ? summaryOf(row) : chatOf(row.chat)));
  }

  private async change(
    chatId: string,
    update: (chat: ChatData) => ChatChanges | undefined,
    isUse: boolean,
  ): Promise<ChatData> {
    for (;;) {
      const seen = await this.read(chatId, {});
      if (!seen) throw new ChatNotFoundError(chatId);
      const chat = chatOf(seen);
      const changes = update(structuredClone(chat));
      if (!changes) return chat;
      const changed = await this.store.write<ChatRow | null>('updateSeenChat', {
        chatId,
        seenTitle: seen.title,
        seenMetadata: seen.metadata,
        isUse,
        title: changes.title ?? seen.title,
        metadata: JSON.stringify({ ...chat.metadata, ...changes.metadata }),
      });
      if (changed) return chatOf(changed);
    }
  }

  private read(chatId: string, { userId }: OwnedBy): Promise<ChatRow | undefined> {
    return this.store.value('get_chat($1, $2)', [chatId, userId ?? null]);
  }

  private async canWrite(chatId: string): Promise<boolean> {
    return (await this.store.value<{ canWrite: boolean }>('get_sharing($1)', [chatId]))?.canWrite ?? false;
  }
}

function rowOf({ id, userId, title, metadata = {} }: NewChat): object {
  return { id, userId, title: title ?? null, metadata: JSON.stringify(metadata) };
}

function summaryOf({ chat, message_count, branch_count, role, data, said_at }: ListedRow): ChatSummary {
  return {
    ...chatOf(chat),
    messageCount: message_count,
    branchCount: branch_count ?? 0,
    lastMessage:
      role === null || data === null || said_at === null
        ? undefined
        : { role, text: excerptOf(visibleText({ type: 'message', data: parsed(data) })), createdAt: said_at },
  };
}
