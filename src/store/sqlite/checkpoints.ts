import { ChatNotFoundError, CheckpointNotFoundError, MessageNotFoundError } from '../../engine/errors.ts';
import type { CheckpointData } from '../../engine/graph.ts';
import { MAX_NAME_LENGTH } from '../../engine/limits.ts';
import type { ViewedBy } from '../../engine/users.ts';
import { givenViewer, keepNextKey, nextKey, type ChatRef } from './chats.ts';
import type { Reader, SqlRow, Transaction } from './database.ts';
import { integer, optionalInteger, text } from './rows.ts';

export interface StoredCheckpoint {
  readonly key: number;
  readonly messageKey: number;
  readonly checkpoint: CheckpointData;
}

/** The message's id is looked up rather than joined: SQLite prepares a join with parameters again on each run. */
const select = `SELECT c.key, c.messageKey, c.id, c.name, c.createdAt,
    (SELECT id FROM messages WHERE key = c.messageKey) AS messageId
  FROM checkpoints c WHERE c.chatKey = ?`;
const byName = `${select} AND c.name = ?`;

const target = `SELECT key, userId,
    (SELECT key FROM messages WHERE chatKey = chats.key AND id = ?2) AS messageKey
  FROM chats WHERE id = ?1 AND trashedAt IS NULL`;

const insert =
  'INSERT INTO checkpoints (key, id, chatKey, name, messageKey, createdAt) VALUES (?, ?, ?, ?, ?, ?)';
/** Members that stay the same are left out: each is in an index, and the key is in all of them. */
const setTime = 'UPDATE checkpoints SET createdAt = ? WHERE key = ?';
const setMessage = 'UPDATE checkpoints SET createdAt = ?, messageKey = ? WHERE key = ?';
const setKey = 'UPDATE checkpoints SET createdAt = ?, messageKey = ?, key = ? WHERE key = ?';

/** What a checkpoint is set at. @throws ChatNotFoundError, MessageNotFoundError */
export function requireTarget(
  reader: Reader,
  chatId: string,
  messageId: string,
  by: ViewedBy,
): { readonly chat: ChatRef; readonly messageKey: number } {
  const viewer = givenViewer(by);
  const row = reader.getKept(target, [chatId, messageId]);
  if (!row) throw new ChatNotFoundError(chatId);
  const messageKey = optionalInteger(row, 'messageKey');
  if (messageKey === undefined) throw new MessageNotFoundError(messageId);
  const owner = text(row, 'userId');
  return { chat: { key: integer(row, 'key'), id: chatId, owner, viewer: viewer ?? owner }, messageKey };
}

export function findCheckpoint(reader: Reader, chat: ChatRef, name: string): StoredCheckpoint | undefined {
  const row = reader.getKept(byName, [chat.key, name]);
  return row && asCheckpoint(row, chat.id);
}

/** @throws CheckpointNotFoundError */
export function requireCheckpoint(reader: Reader, chat: ChatRef, name: string): StoredCheckpoint {
  const checkpoint = findCheckpoint(reader, chat, name);
  if (!checkpoint) throw new CheckpointNotFoundError(name);
  return checkpoint;
}

export function selectCheckpoints(reader: Reader, chat: ChatRef): CheckpointData[] {
  return reader
    .all(`${select} ORDER BY c.key`, [chat.key])
    .map((row) => asCheckpoint(row, chat.id).checkpoint);
}

/** Makes a checkpoint, or sets it again, which makes it the last of them. @param before the one of that name, if any */
export function putCheckpoint(
  transaction: Transaction,
  chatKey: number,
  checkpoint: Omit<CheckpointData, 'chatId'> & { readonly messageKey: number },
  before?: StoredCheckpoint,
): void {
  const { id, name, messageId, messageKey, createdAt } = checkpoint;
  const next = nextKey(transaction, 'checkpoints');
  const isLast = before?.key === next - 1;
  const key = isLast ? before.key : next;
  if (!before) transaction.run(insert, [key, id, chatKey, name, messageKey, createdAt]);
  else if (!isLast) transaction.run(setKey, [createdAt, messageKey, key, before.key]);
  else if (before.messageKey !== messageKey) transaction.run(setMessage, [createdAt, messageKey, key]);
  else transaction.run(setTime, [createdAt, key]);
  transaction.keep(byName, [chatKey, name], { key, messageKey, id, name, createdAt, messageId });
  keepNextKey(transaction, 'checkpoints', key + 1);
}

export function setCheckpointName(transaction: Transaction, { key }: StoredCheckpoint, name: string): void {
  transaction.run('UPDATE checkpoints SET name = ? WHERE key = ?', [name, key]);
}

export function freeName(reader: Reader, chat: ChatRef, name: string): string {
  let free = name;
  for (let number = 2; findCheckpoint(reader, chat, free); number++) {
    const end = ` (${number})`;
    free = `${name.slice(0, MAX_NAME_LENGTH - end.length).toWellFormed()}${end}`;
  }
  return free;
}

function asCheckpoint(row: SqlRow, chatId: string): StoredCheckpoint {
  return {
    key: integer(row, 'key'),
    messageKey: integer(row, 'messageKey'),
    checkpoint: {
      id: text(row, 'id'),
      chatId,
      name: text(row, 'name'),
      messageId: text(row, 'messageId'),
      createdAt: integer(row, 'createdAt'),
    },
  };
}
