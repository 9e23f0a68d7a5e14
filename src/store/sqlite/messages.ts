import { messageEffects } from '../../engine/effects.ts';
import { DamagedDataError, MessageExistsError, MessageNotFoundError } from '../../engine/errors.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { NewMessage } from '../../engine/store.ts';
import { nextKey, type ChatRef } from './chats.ts';
import type { Reader, SqlRow, Transaction } from './database.ts';
import { messageJson } from '../common/messageContent.ts';
import { integer, json, optionalInteger, optionalText, text } from './rows.ts';
import { indexTexts } from './unindexedTexts.ts';

export interface StoredMessage {
  readonly key: number;
  readonly parentKey: number | undefined;
  /** The number of messages from the root to this one; its depth also counts nodes of other kinds. */
  readonly messageCount: number;
  readonly message: MessageData;
}

/** The parent's id is looked up rather than joined: SQLite prepares a join with parameters again on each run. */
export const messageColumns = `m.key, m.parentKey, m.id, m.depth, m.name, m.type, m.data, m.effects, m.invocationId,
   m.replaces, m.createdAt, m.messageCount, (SELECT id FROM messages WHERE key = m.parentKey) AS parentId`;

const byId = `SELECT ${messageColumns} FROM messages m WHERE m.chatKey = ? AND m.id = ?`;

const extent =
  'SELECT count(*) AS count, min(key) AS least, max(key) AS most FROM messages WHERE chatKey = ?';

/** From a head up to a depth; a message is on the path if it is the one found there. */
const ancestorAt = `WITH RECURSIVE up(key, parentKey, depth) AS (
    SELECT key, parentKey, depth FROM messages WHERE key = ?1 AND depth >= ?2
    UNION ALL
    SELECT m.key, m.parentKey, m.depth FROM up u JOIN messages m ON m.key = u.parentKey
      WHERE m.depth = u.depth - 1 AND m.depth >= ?2
  )
  SELECT 1 FROM up WHERE depth = ?2 AND key = ?3`;

/** From two messages up, the deeper one first, until they meet. */
const meeting = `WITH RECURSIVE pair(one, other) AS (
    SELECT ?1, ?2
    UNION ALL
    SELECT iif(a.depth >= b.depth, a.parentKey, a.key), iif(b.depth >= a.depth, b.parentKey, b.key)
      FROM pair JOIN messages a ON a.key = one JOIN messages b ON b.key = other WHERE one <> other
  )
  SELECT one FROM pair WHERE one = other`;
const byKey = `SELECT ${messageColumns} FROM messages m WHERE m.key = ?`;

const insert = `INSERT INTO messages
  (key, chatKey, id, parentKey, depth, name, type, data, effects, invocationId, replaces, createdAt, messageCount)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const parentsOf = `SELECT id, (SELECT id FROM messages WHERE key = m.parentKey) AS parentId
  FROM messages m WHERE chatKey = ? AND id IN (SELECT value FROM json_each(?))`;
/** On the path from a head up to the first occurrence of the turn anywhere; the message nearest to the root. */
const invocationOnPath = `WITH RECURSIVE up(key, parentKey, depth) AS (
    SELECT key, parentKey, depth FROM messages WHERE key = ?1
    UNION ALL
    SELECT m.key, m.parentKey, m.depth FROM up u JOIN messages m ON m.key = u.parentKey
      WHERE m.depth = u.depth - 1
        AND m.depth >= (SELECT min(depth) FROM messages WHERE chatKey = ?2 AND invocationId = ?3)
  )
  SELECT m.key FROM up u CROSS JOIN messages m ON m.key = u.key WHERE m.invocationId = ?3 ORDER BY u.depth LIMIT 1`;
const firstOfInvocation = `SELECT ${messageColumns} FROM messages m
  WHERE m.chatKey = ? AND m.invocationId = ? ORDER BY m.key LIMIT 1`;

/** The range of keys of a chat's messages. */
export interface Extent {
  readonly count: number;
  readonly least: number;
  readonly most: number;
}

/** @returns undefined for a chat without messages */
export function selectExtent(reader: Reader, chat: ChatRef): Extent | undefined {
  const row = reader.getKept(extent, [chat.key]);
  const count = row ? integer(row, 'count') : 0;
  return row && count > 0 ? { count, least: integer(row, 'least'), most: integer(row, 'most') } : undefined;
}

/** Reads only the messages between them. */
export function isOnPath(reader: Reader, { key, message }: StoredMessage, headKey: number): boolean {
  return reader.get(ancestorAt, [headKey, message.depth, key]) !== undefined;
}

/** The last common message of the paths to two messages. */
export function findMeeting(
  reader: Reader,
  chat: ChatRef,
  one: StoredMessage,
  other: StoredMessage,
): StoredMessage | undefined {
  const met = reader.get(meeting, [one.key, other.key]);
  const row = met && reader.get(byKey, [integer(met, 'one')]);
  return row && asStoredMessage(row, chat.id);
}

export function findMessage(reader: Reader, chatKey: number, id: string): StoredMessage | undefined {
  const row = reader.get(byId, [chatKey, id]);
  return row && asStoredMessage(row, '');
}

/** @throws MessageNotFoundError */
export function requireMessage(reader: Reader, chat: ChatRef, id: string): StoredMessage {
  const row = reader.get(byId, [chat.key, id]);
  if (!row) throw new MessageNotFoundError(id);
  return asStoredMessage(row, chat.id);
}

/** The parents of those messages that exist; null for a root. One query for any number of messages. */
export function selectParentIds(
  reader: Reader,
  chat: ChatRef,
  ids: readonly string[],
): Map<string, string | null> {
  const rows = reader.all(parentsOf, [chat.key, JSON.stringify(ids)]);
  return new Map(rows.map((row) => [text(row, 'id'), optionalText(row, 'parentId') ?? null]));
}

export function findInvocationStart(
  reader: Reader,
  chat: ChatRef,
  invocationId: string,
): StoredMessage | undefined {
  const row = reader.get(firstOfInvocation, [chat.key, invocationId]);
  return row && asStoredMessage(row, chat.id);
}

/** Undefined when it is not on the path. */
export function findInvocationOnPath(
  reader: Reader,
  chat: ChatRef,
  invocationId: string,
  head: StoredMessage,
): StoredMessage | undefined {
  const met = reader.get(invocationOnPath, [head.key, chat.key, invocationId]);
  const row = met && reader.get(byKey, [integer(met, 'key')]);
  return row && asStoredMessage(row, chat.id);
}

/** Appends messages below `parent` (undefined: as a root), each below the one before. */
export function insertMessages(
  transaction: Transaction,
  chat: ChatRef,
  parent: StoredMessage | undefined,
  messages: readonly NewMessage[],
  now: number,
): StoredMessage[] {
  refuseKnown(transaction, chat, messages);
  let above = parent;
  const first = nextKey(transaction, 'messages');
  let key = first;
  const stored = messages.map((message) => {
    const stored: StoredMessage = {
      key: key++,
      parentKey: above?.key,
      messageCount: (above?.messageCount ?? 0) + (message.type === 'message' ? 1 : 0),
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
  indexMessages(transaction, first, key - 1);
  return stored;
}

/**
 * Adds the words of new messages to the index, by their keys. Not as the last statement of a transaction: SQLite writes
 * them before the next update, or else only when it commits, which is after the size of the database was checked.
 */
export function indexMessages(transaction: Transaction, first: number, last: number): void {
  transaction.run(indexTexts, [first, last]);
}

/** @throws MessageExistsError for an id that is already stored, or is repeated */
function refuseKnown(reader: Reader, chat: ChatRef, messages: readonly NewMessage[]): void {
  const ids = messages.map(({ id }) => id);
  const taken = new Set(selectParentIds(reader, chat, ids).keys());
  for (const id of ids) {
    if (taken.has(id)) throw new MessageExistsError(id);
    taken.add(id);
  }
}

function insertOne(
  transaction: Transaction,
  chatKey: number,
  { key, parentKey, messageCount, message }: StoredMessage,
): void {
  transaction.run(insert, [
    key,
    chatKey,
    message.id,
    parentKey ?? null,
    message.depth,
    message.name,
    message.type,
    ...messageJson(message),
    message.invocationId,
    message.replaces ?? null,
    message.createdAt,
    messageCount,
  ]);
}

export function asStoredMessage(row: SqlRow, chatId: string): StoredMessage {
  return {
    key: integer(row, 'key'),
    parentKey: optionalInteger(row, 'parentKey'),
    messageCount: integer(row, 'messageCount'),
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

export function messageType(row: SqlRow): MessageData['type'] {
  const type = text(row, 'type');
  if (type === 'message' || type === 'fragment' || type === 'internal') return type;
  throw new DamagedDataError(`"${type}" is no type of message`);
}

export function readEffects(row: SqlRow): MessageData['effects'] {
  if (optionalText(row, 'effects') === undefined) return undefined;
  const read = messageEffects.safeParse(json(row, 'effects'));
  if (!read.success)
    throw new DamagedDataError('the effects of a message cannot be read', { cause: read.error });
  return read.data as MessageData['effects'];
}
