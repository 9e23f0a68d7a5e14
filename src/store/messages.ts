import { messageEffects } from '../engine/effects.ts';
import { DamagedDataError, MessageExistsError, MessageNotFoundError } from '../engine/errors.ts';
import type { MessageData } from '../engine/graph.ts';
import type { NewMessage } from '../engine/store.ts';
import { readUIMessage, textOf } from '../engine/uiMessage.ts';
import type { StoredChat } from './chats.ts';
import { nextKey } from './chats.ts';
import type { Reader, SqlRow, Transaction } from './database.ts';
import { integer, json, optionalInteger, optionalText, text } from './rows.ts';
import { indexedText } from './searchText.ts';

/** A message with the keys by which others point to it. */
export interface StoredMessage {
  readonly key: number;
  readonly parentKey: number | undefined;
  readonly message: MessageData;
}

export const messageColumns =
  'm.key, m.parentKey, m.id, p.id AS parentId, m.depth, m.name, m.type, m.data, m.effects, m.invocationId, ' +
  'm.replaces, m.createdAt';

const byId = `SELECT ${messageColumns} FROM messages m LEFT JOIN messages p ON p.key = m.parentKey
  WHERE m.chatKey = ? AND m.id = ?`;

/** Depth falls with each step, so that even a file damaged into a cycle comes to an end. */
const chain = `WITH RECURSIVE chain(key, parentKey, depth) AS (
    SELECT key, parentKey, depth FROM messages WHERE key = ?
    UNION ALL
    SELECT m.key, m.parentKey, m.depth FROM chain c JOIN messages m ON m.key = c.parentKey
      WHERE m.depth = c.depth - 1 AND m.depth > ?
  )
  SELECT ${messageColumns} FROM chain c JOIN messages m ON m.key = c.key LEFT JOIN messages p ON p.key = m.parentKey
  ORDER BY c.depth`;

/** From a head up to a depth; a message is on the path when it is the one met there. */
const ancestorAt = `WITH RECURSIVE up(key, parentKey, depth) AS (
    SELECT key, parentKey, depth FROM messages WHERE key = ?1 AND depth >= ?2
    UNION ALL
    SELECT m.key, m.parentKey, m.depth FROM up u JOIN messages m ON m.key = u.parentKey
      WHERE m.depth = u.depth - 1 AND m.depth >= ?2
  )
  SELECT 1 FROM up WHERE depth = ?2 AND key = ?3`;

const insert = `INSERT INTO messages
  (key, chatKey, id, parentKey, depth, name, type, data, effects, invocationId, replaces, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertText = 'INSERT INTO messageTexts (docid, text) VALUES (?, ?)';

const exists = 'SELECT 1 FROM messages WHERE chatKey = ? AND id = ?';
const parentOf = `SELECT p.id AS parentId FROM chats c JOIN messages m ON m.chatKey = c.key AND m.id = ?
  LEFT JOIN messages p ON p.key = m.parentKey WHERE c.id = ? AND c.trashedAt IS NULL`;
const firstOfInvocation = `SELECT ${messageColumns} FROM messages m LEFT JOIN messages p ON p.key = m.parentKey
  WHERE m.chatKey = ? AND m.invocationId = ? ORDER BY m.key LIMIT 1`;

/** Whether a message stands on the path to a head. Costs what lies between them. */
export function isOnPath(reader: Reader, { key, message }: StoredMessage, headKey: number): boolean {
  return reader.get(ancestorAt, [headKey, message.depth, key]) !== undefined;
}

export function findMessage(reader: Reader, chatKey: number, id: string): StoredMessage | undefined {
  const row = reader.get(byId, [chatKey, id]);
  return row && asStoredMessage(row, '');
}

/** @throws MessageNotFoundError */
export function requireMessage(reader: Reader, chat: StoredChat, id: string): StoredMessage {
  const row = reader.get(byId, [chat.key, id]);
  if (!row) throw new MessageNotFoundError(id);
  return asStoredMessage(row, chat.id);
}

/** Null for a root, undefined when there is no such message. */
export function findParentId(reader: Reader, chatId: string, id: string): string | null | undefined {
  const row = reader.get(parentOf, [id, chatId]);
  return row && (optionalText(row, 'parentId') ?? null);
}

/** The message that a turn began with. */
export function findInvocationStart(
  reader: Reader,
  chat: StoredChat,
  invocationId: string,
): StoredMessage | undefined {
  const row = reader.get(firstOfInvocation, [chat.key, invocationId]);
  return row && asStoredMessage(row, chat.id);
}

/**
 * The path to a message, root first, from just below `aboveDepth` on (0: from the root).
 * @throws DamagedDataError when it does not lead there
 */
export function selectPath(
  reader: Reader,
  chat: StoredChat,
  head: StoredMessage,
  aboveDepth = 0,
): StoredMessage[] {
  const path = reader.all(chain, [head.key, aboveDepth]).map((row) => asStoredMessage(row, chat.id));
  if (path.length !== head.message.depth - Math.max(0, aboveDepth)) {
    throw new DamagedDataError(`the path to message "${head.message.id}" is broken`);
  }
  return path;
}

/** Appends messages below `parent` (undefined: as a root), each below the one before. */
export function insertMessages(
  transaction: Transaction,
  chat: StoredChat,
  parent: StoredMessage | undefined,
  messages: readonly NewMessage[],
  now: number,
): StoredMessage[] {
  let above = parent;
  let key = nextKey(transaction, 'messages', 'key');
  return messages.map((message) => {
    if (transaction.get(exists, [chat.key, message.id])) throw new MessageExistsError(message.id);
    const stored: StoredMessage = {
      key: key++,
      parentKey: above?.key,
      message: {
        id: message.id,
        chatId: chat.id,
        parentId: above?.message.id ?? null,
        depth: (above?.message.depth ?? 0) + 1,
        name: message.name,
        type: message.type,
        data: message.data,
        effects: message.effects,
        invocationId: message.invocationId ?? above?.message.invocationId ?? message.id,
        replaces: message.replaces,
        createdAt: now,
      },
    };
    insertOne(transaction, chat.key, stored);
    above = stored;
    return stored;
  });
}

function insertOne(
  transaction: Transaction,
  chatKey: number,
  { key, parentKey, message }: StoredMessage,
): void {
  transaction.run(insert, [
    key,
    chatKey,
    message.id,
    parentKey ?? null,
    message.depth,
    message.name,
    message.type,
    JSON.stringify(message.data),
    message.effects ? JSON.stringify(message.effects) : null,
    message.invocationId,
    message.replaces ?? null,
    message.createdAt,
  ]);
  const visible = visibleText(message);
  if (visible !== '') transaction.run(insertText, [key, indexedText(visible)]);
}

/** What a person reads of a message: what search finds and graphs show. */
export function visibleText(message: Pick<MessageData, 'data' | 'type'>): string {
  if (message.type === 'internal') return '';
  if (typeof message.data === 'string') return message.data;
  const read = readUIMessage(message.data);
  return read ? textOf(read) : '';
}

export function asStoredMessage(row: SqlRow, chatId: string): StoredMessage {
  const parentKey = optionalInteger(row, 'parentKey');
  return {
    key: integer(row, 'key'),
    parentKey,
    message: {
      id: text(row, 'id'),
      chatId,
      parentId: optionalText(row, 'parentId') ?? null,
      depth: integer(row, 'depth'),
      name: text(row, 'name'),
      type: messageType(row),
      data: json(row, 'data'),
      effects: readEffects(row),
      invocationId: text(row, 'invocationId'),
      replaces: optionalText(row, 'replaces'),
      createdAt: integer(row, 'createdAt'),
    },
  };
}

function messageType(row: SqlRow): MessageData['type'] {
  const type = text(row, 'type');
  if (type === 'message' || type === 'fragment' || type === 'internal') return type;
  throw new DamagedDataError(`"${type}" is no type of message`);
}

function readEffects(row: SqlRow): MessageData['effects'] {
  if (optionalText(row, 'effects') === undefined) return undefined;
  const read = messageEffects.safeParse(json(row, 'effects'));
  if (!read.success)
    throw new DamagedDataError('the effects of a message cannot be read', { cause: read.error });
  return read.data as MessageData['effects'];
}
