import { CheckpointNotFoundError } from '../engine/errors.ts';
import type { CheckpointData } from '../engine/graph.ts';
import { MAX_NAME_LENGTH } from '../engine/storable.ts';
import { nextKey, type StoredChat } from './chats.ts';
import type { Reader, SqlRow, Transaction } from './database.ts';
import { integer, text } from './rows.ts';

export interface StoredCheckpoint {
  readonly key: number;
  readonly messageKey: number;
  readonly checkpoint: CheckpointData;
}

/** The message's id is looked up rather than joined: SQLite prepares a join with parameters anew each time it runs. */
const select = `SELECT c.key, c.messageKey, c.id, c.name, c.createdAt,
    (SELECT id FROM messages WHERE key = c.messageKey) AS messageId
  FROM checkpoints c WHERE c.chatKey = ?`;
const byName = `${select} AND c.name = ?`;

export function findCheckpoint(reader: Reader, chat: StoredChat, name: string): StoredCheckpoint | undefined {
  const row = reader.get(byName, [chat.key, name]);
  return row && asCheckpoint(row, chat.id);
}

/** @throws CheckpointNotFoundError */
export function requireCheckpoint(reader: Reader, chat: StoredChat, name: string): StoredCheckpoint {
  const checkpoint = findCheckpoint(reader, chat, name);
  if (!checkpoint) throw new CheckpointNotFoundError(name);
  return checkpoint;
}

export function selectCheckpoints(reader: Reader, chat: StoredChat): CheckpointData[] {
  return reader
    .all(`${select} ORDER BY c.createdAt, c.key`, [chat.key])
    .map((row) => asCheckpoint(row, chat.id).checkpoint);
}

/** Moves a checkpoint to another message. */
export function moveCheckpoint(
  transaction: Transaction,
  { key, checkpoint }: StoredCheckpoint,
  to: { readonly messageKey: number; readonly messageId: string },
  now: number,
): CheckpointData {
  transaction.run('UPDATE checkpoints SET messageKey = ?, createdAt = ? WHERE key = ?', [
    to.messageKey,
    now,
    key,
  ]);
  return { ...checkpoint, messageId: to.messageId, createdAt: now };
}

/** @returns the id of the new checkpoint */
export function insertCheckpoint(
  transaction: Transaction,
  chatKey: number,
  name: string,
  messageKey: number,
  now: number,
): string {
  const id = crypto.randomUUID();
  transaction.run(
    'INSERT INTO checkpoints (key, id, chatKey, name, messageKey, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
    [nextKey(transaction, 'checkpoints', 'key'), id, chatKey, name, messageKey, now],
  );
  return id;
}

export function setCheckpointName(transaction: Transaction, { key }: StoredCheckpoint, name: string): void {
  transaction.run('UPDATE checkpoints SET name = ? WHERE key = ?', [name, key]);
}

/** This name, or one with a number behind it when it is taken. */
export function freeName(reader: Reader, chat: StoredChat, name: string): string {
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
