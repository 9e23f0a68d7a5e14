import { ChatExistsError, ChatNotFoundError } from '../../../engine/errors.ts';
import type { ChatData, ChatSummary, MessageExcerpt } from '../../../engine/graph.ts';
import type { ChatChanges, ListChats, NewChat } from '../../../engine/store.ts';
import type { OwnedBy } from '../../../engine/users.ts';
import { missingOf, sumUsage } from '../../common/chatChanges.ts';
import * as branches from '../branches.ts';
import * as chats from '../chats.ts';
import type { StoredChat } from '../chats.ts';
import {
  bodies,
  changed,
  quiet,
  type Reader,
  type Transaction,
  type Outcome,
  type SqlRow,
} from '../database.ts';
import { insertEvent } from '../events.ts';
import type { JsonValue } from '../../../engine/json.ts';
import { excerptOf, visibleText } from '../../common/messageContent.ts';
import { integer, json, optionalInteger, text } from '../rows.ts';

export const chatWrites = bodies({
  createChat(transaction, now, chat) {
    if (chats.findChat(transaction, chat.id)) throw new ChatExistsError(chat.id);
    const stored = startChat(transaction, now, chat);
    return changed(plainChat(stored), { kind: 'chat', chatId: chat.id, change: 'created' });
  },

  upsertChat(transaction, now, chat) {
    const found = chats.findChat(transaction, chat.id);
    if (found && found.userId !== chat.userId) throw new ChatNotFoundError(chat.id);
    // Opening a chat does not count as use.
    const stored = found
      ? chats.changeChat(transaction, found, missingOf(found, chat) ?? {}, found.updatedAt)
      : startChat(transaction, now, chat);
    return changed(plainChat(stored), {
      kind: 'chat',
      chatId: chat.id,
      change: found ? 'updated' : 'created',
    });
  },

  updateChat: (transaction, now, { chatId, changes }) => updateChat(transaction, now, chatId, changes),

  /** @returns undefined when the chat has changed since: nothing is changed in that case */
  updateSeenChat(transaction, now, { chatId, seen, changes }) {
    const { title, metadata, updatedAt } = chats.requireChat(transaction, chatId);
    const isAsSeen =
      title === seen.title &&
      updatedAt === seen.updatedAt &&
      JSON.stringify(metadata) === JSON.stringify(seen.metadata);
    return isAsSeen ? updateChat(transaction, now, chatId, changes) : quiet(undefined);
  },

  saveTitle(transaction, now, { chatId, messageId, title, replaces, details, userId }) {
    const chat = chats.requireChat(transaction, chatId, { userId });
    if (replaces !== undefined) {
      if (chat.title !== replaces) return quiet(false);
      chats.retitleChat(transaction, chat.key, title);
    }
    insertEvent(transaction, chat, { kind: 'titled', messageId, details: { ...details, title } }, now);
    return changed(true, { kind: 'chat', chatId, change: 'updated' });
  },

  addUsage(transaction, now, { chatId, usage }) {
    const chat = chats.requireChat(transaction, chatId);
    return updateChat(transaction, now, chatId, {
      metadata: { usage: sumUsage(chat.metadata['usage'], usage) },
    });
  },
});

/** Undefined when opening it would make or change it. @throws ChatNotFoundError when it is another user's */
export function openUnchanged(reader: Reader, chat: NewChat): ChatData | undefined {
  const found = chats.findChat(reader, chat.id);
  if (found && found.userId !== chat.userId) throw new ChatNotFoundError(chat.id);
  return found && !missingOf(found, chat) ? plainChat(found) : undefined;
}

/** @throws ChatNotFoundError */
export function requireChat(reader: Reader, chatId: string): ChatData {
  return plainChat(chats.requireChat(reader, chatId));
}

export function getChat(reader: Reader, chatId: string, options: OwnedBy): ChatData | undefined {
  const chat = chats.findChat(reader, chatId);
  return chat && isOwned(chat, options) ? plainChat(chat) : undefined;
}

function updateChat(
  transaction: Transaction,
  now: number,
  chatId: string,
  changes: ChatChanges,
): Outcome<ChatData> {
  const chat = chats.requireChat(transaction, chatId);
  const result = chats.changeChat(transaction, chat, changes, now);
  return changed(plainChat(result), { kind: 'chat', chatId, change: 'updated' });
}

export function listChats(reader: Reader, options: ListChats): (ChatData | ChatSummary)[] {
  const listed = chats.selectChats(reader, options);
  return options.details === false ? listed.map(plainChat) : summaries(reader, listed);
}

function startChat(transaction: Transaction, now: number, chat: NewChat): chats.StoredChat {
  const stored = chats.insertChat(transaction, chat, now);
  const first = branches.insertBranch(transaction, stored, { parent: undefined, headKey: undefined }, now);
  branches.activate(transaction, stored, first);
  insertEvent(transaction, stored, { kind: 'chat-created', branch: first.branch.name }, now);
  return stored;
}

function summaries(reader: Reader, listed: readonly chats.StoredChat[]): ChatSummary[] {
  const details = selectChatDetails(reader, listed);
  return listed.map((chat) => ({ ...plainChat(chat), ...(details.get(chat.key) ?? emptyChat) }));
}

function plainChat({ key: _key, owner: _owner, viewer: _viewer, ...chat }: chats.StoredChat): ChatData {
  return chat;
}

function isOwned(chat: ChatData, { userId }: OwnedBy): boolean {
  return userId === undefined || chat.userId === userId;
}

// What lists show in addition to the chats themselves, from one query for all listed chats.

type ChatDetails = Pick<ChatSummary, 'messageCount' | 'branchCount' | 'lastMessage'>;

const emptyChat: ChatDetails = { messageCount: 0, branchCount: 0, lastMessage: undefined };

/** The last visible message, from the head of the owner's active branch up; depth falls with each step. */
const last = `(WITH RECURSIVE up(key, parentKey, depth, type) AS (
      SELECT h.key, h.parentKey, h.depth, h.type FROM branches b JOIN messages h ON h.key = b.headKey
        WHERE b.chatKey = wanted.value AND b.isActive = 1
      UNION ALL
      SELECT m.key, m.parentKey, m.depth, m.type FROM up u JOIN messages m ON m.key = u.parentKey
        WHERE u.type <> 'message' AND m.depth = u.depth - 1
    )
    SELECT key FROM up WHERE type = 'message')`;
const details = `SELECT wanted.value AS chatKey, ${last} AS lastKey,
    (SELECT count(*) FROM messages m WHERE m.chatKey = wanted.value AND m.type = 'message') AS messages,
    (SELECT count(*) FROM branches b WHERE b.chatKey = wanted.value AND b.archivedAt IS NULL) AS branches
  FROM json_each(?) wanted`;
const endings = `SELECT m.key, m.name, m.type, m.data, m.createdAt FROM json_each(?) wanted
  CROSS JOIN messages m ON m.key = wanted.value`;

/** By the key of each chat. */
function selectChatDetails(reader: Reader, chats: readonly StoredChat[]): ReadonlyMap<number, ChatDetails> {
  const rows = reader.all(details, [JSON.stringify(chats.map(({ key }) => key))]);
  const lastKeys = rows.flatMap((row) => optionalInteger(row, 'lastKey') ?? []);
  const excerpts = new Map(
    reader.map(endings, [JSON.stringify(lastKeys)], (row) => [integer(row, 'key'), excerpt(row)] as const),
  );
  return new Map(
    rows.map((row) => {
      const lastKey = optionalInteger(row, 'lastKey');
      return [
        integer(row, 'chatKey'),
        {
          messageCount: integer(row, 'messages'),
          branchCount: integer(row, 'branches'),
          lastMessage: lastKey === undefined ? undefined : excerpts.get(lastKey),
        },
      ];
    }),
  );
}

function excerpt(row: SqlRow): MessageExcerpt {
  return {
    role: text(row, 'name'),
    text: excerptOf(visibleText({ type: 'message', data: json(row, 'data') satisfies JsonValue })),
    createdAt: integer(row, 'createdAt'),
  };
}
