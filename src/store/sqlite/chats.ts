import { ChatNotFoundError } from '../../engine/errors.ts';
import type { ChatData } from '../../engine/graph.ts';
import type { JsonObject } from '../../engine/json.ts';
import { checkedId } from '../../engine/storable.ts';
import type { ChatChanges, ListChats, NewChat } from '../../engine/store.ts';
import type { ViewedBy } from '../../engine/users.ts';
import type { Reader, SqlParameter, SqlRow, Transaction } from './database.ts';
import { integer, jsonObject, optionalText, text } from './rows.ts';

/** Identifies a chat: the key that other tables point to, the id, and the user it is read or changed as. */
export interface ChatRef {
  readonly key: number;
  readonly id: string;
  readonly owner: string;
  readonly viewer: string;
}

export interface StoredChat extends ChatData, ChatRef {}

const refById = 'SELECT key, userId FROM chats WHERE id = ? AND trashedAt IS NULL';
const byId = 'SELECT * FROM chats WHERE id = ? AND trashedAt IS NULL';
const insert =
  'INSERT INTO chats (key, id, userId, title, metadata, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?)';
const update = 'UPDATE chats SET title = ?, metadata = ?, updatedAt = ? WHERE key = ?';
const retitle = 'UPDATE chats SET title = ? WHERE key = ?';
const touch = 'UPDATE chats SET updatedAt = max(updatedAt, ?) WHERE key = ?';

export function findChat(reader: Reader, id: string, by: ViewedBy = {}): StoredChat | undefined {
  const viewer = givenViewer(by);
  const row = reader.get(byId, [id]);
  return row && asChat(row, viewer);
}

/** @throws ChatNotFoundError */
export function requireChat(reader: Reader, id: string, by: ViewedBy = {}): StoredChat {
  const chat = findChat(reader, id, by);
  if (!chat) throw new ChatNotFoundError(id);
  return chat;
}

/** As {@link requireChat}, without the members that only the chat's own page needs. @throws ChatNotFoundError */
export function requireChatRef(reader: Reader, id: string, by: ViewedBy = {}): ChatRef {
  const viewer = givenViewer(by);
  const row = reader.getKept(refById, [id]);
  if (!row) throw new ChatNotFoundError(id);
  const owner = text(row, 'userId');
  return { key: integer(row, 'key'), id, owner, viewer: viewer ?? owner };
}

/** Null: the chat's owner. @throws InvalidNameError */
export function givenViewer({ userId }: ViewedBy): string | null {
  return userId === undefined ? null : checkedId(userId, 'user id');
}

export function insertChat(transaction: Transaction, chat: NewChat, now: number): StoredChat {
  const key = nextKey(transaction, 'chats');
  transaction.run(insert, [
    key,
    chat.id,
    chat.userId,
    chat.title ?? null,
    JSON.stringify(chat.metadata ?? {}),
    now,
    now,
  ]);
  return requireChat(transaction, chat.id);
}

/** Metadata is merged: given members replace those of the same name. */
export function changeChat(
  transaction: Transaction,
  chat: StoredChat,
  changes: ChatChanges,
  now: number,
): StoredChat {
  const metadata = { ...chat.metadata, ...changes.metadata };
  const title = changes.title ?? chat.title ?? null;
  transaction.run(update, [title, JSON.stringify(metadata), Math.max(now, chat.updatedAt), chat.key]);
  return requireChat(transaction, chat.id);
}

/** Unlike a change, it does not count as use of the chat. */
export function retitleChat(transaction: Transaction, chatKey: number, title: string): void {
  transaction.run(retitle, [title, chatKey]);
}

export function touchChat(transaction: Transaction, chatKey: number, now: number): void {
  transaction.run(touch, [now, chatKey]);
}

export function selectChats(reader: Reader, options: ListChats): StoredChat[] {
  const conditions = ['trashedAt IS NULL'];
  const parameters: SqlParameter[] = [];
  if (options.userId !== undefined) {
    conditions.push('userId = ?');
    parameters.push(options.userId);
  }
  const all = reader
    .all(
      `SELECT * FROM chats WHERE ${conditions.join(' AND ')} ORDER BY updatedAt DESC, key DESC`,
      parameters,
    )
    .map((row) => asChat(row, null))
    .filter((chat) => hasMetadata(chat, options.metadata));
  const offset = options.offset ?? 0;
  return all.slice(offset, options.limit === undefined ? undefined : offset + options.limit);
}

const afterMost = (table: string, column = 'key'): string =>
  `SELECT coalesce(max(${column}), 0) + 1 AS next FROM ${table}`;
const nextKeys = {
  chats: afterMost('chats'),
  messages: afterMost('messages'),
  branches: afterMost('branches'),
  checkpoints: afterMost('checkpoints'),
  events: afterMost('events', 'sequence'),
  drafts: afterMost('drafts', 'number'),
  trash: afterMost('trash', 'number'),
};

/** The next key of a table. It is a parameter of its insert, so that the journal repeats the same key. */
export function nextKey(reader: Reader, table: keyof typeof nextKeys): number {
  const row = reader.getKept(nextKeys[table]);
  return row ? integer(row, 'next') : 1;
}

/** For the writer of a row that has the last key now: the next one need not be read. */
export function keepNextKey(transaction: Transaction, table: keyof typeof nextKeys, next: number): void {
  transaction.keep(nextKeys[table], [], { next });
}

function hasMetadata(chat: ChatData, wanted: JsonObject | undefined): boolean {
  return Object.entries(wanted ?? {}).every(
    ([name, value]) => JSON.stringify(chat.metadata[name]) === JSON.stringify(value),
  );
}

function asChat(row: SqlRow, viewer: string | null): StoredChat {
  const userId = text(row, 'userId');
  return {
    key: integer(row, 'key'),
    id: text(row, 'id'),
    userId,
    owner: userId,
    viewer: viewer ?? userId,
    title: optionalText(row, 'title'),
    metadata: jsonObject(row, 'metadata'),
    createdAt: integer(row, 'createdAt'),
    updatedAt: integer(row, 'updatedAt'),
  };
}
