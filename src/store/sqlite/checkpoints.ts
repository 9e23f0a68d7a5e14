import { ChatNotFoundError, CheckpointNotFoundError, MessageNotFoundError } from '../../engine/errors.ts';
import type { CheckpointData } from '../../engine/graph.ts';
import { MAX_NAME_LENGTH } from '../../engine/limits.ts';
import type { ViewedBy } from '../../engine/users.ts';
import { givenViewer, nextKey, type ChatRef } from './chats.ts';
import type { Reader, SqlRow, Transaction } from './database.ts';
import { nextSequence } from './events.ts';
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

/**
 * Everything needed before a checkpoint is set, in one statement, because each further statement takes as long as one
 * that writes. The checkpoint is found before it is joined, as above.
 */
const toSet = `SELECT f.chatKey, f.owner, f.messageKey, f.sequence, f.lastKey, c.key, c.id, c.messageKey AS fromKey,
    (SELECT id FROM messages WHERE key = c.messageKey) AS fromId
  FROM (SELECT chats.key AS chatKey, chats.userId AS owner,
      (SELECT key FROM messages WHERE chatKey = chats.key AND id = ?2) AS messageKey,
      (SELECT key FROM checkpoints WHERE chatKey = chats.key AND name = ?3) AS checkpointKey,
      ${nextSequence} AS sequence, (SELECT coalesce(max(key), 0) FROM checkpoints) AS lastKey
    FROM chats WHERE id = ?1 AND trashedAt IS NULL LIMIT 1) f
  LEFT JOIN checkpoints c ON c.key = f.checkpointKey`;

export interface CheckpointToSet {
  readonly chat: ChatRef;
  readonly messageKey: number;
  readonly sequence: number;
  /** The last key of all checkpoints, 0 if there are none. */
  readonly lastKey: number;
  /** The existing checkpoint of that name, if any. */
  readonly before:
    | { readonly key: number; readonly id: string; readonly messageKey: number; readonly messageId: string }
    | undefined;
}

/** @throws ChatNotFoundError, MessageNotFoundError */
export function readCheckpointToSet(
  reader: Reader,
  chatId: string,
  name: string,
  messageId: string,
  by: ViewedBy,
): CheckpointToSet {
  const viewer = givenViewer(by);
  const row = reader.get(toSet, [chatId, messageId, name]);
  if (!row) throw new ChatNotFoundError(chatId);
  const messageKey = optionalInteger(row, 'messageKey');
  if (messageKey === undefined) throw new MessageNotFoundError(messageId);
  const owner = text(row, 'owner');
  const key = optionalInteger(row, 'key');
  return {
    chat: { key: integer(row, 'chatKey'), id: chatId, owner, viewer: viewer ?? owner },
    messageKey,
    sequence: integer(row, 'sequence'),
    lastKey: integer(row, 'lastKey'),
    before:
      key === undefined
        ? undefined
        : { key, id: text(row, 'id'), messageKey: integer(row, 'fromKey'), messageId: text(row, 'fromId') },
  };
}

export function findCheckpoint(reader: Reader, chat: ChatRef, name: string): StoredCheckpoint | undefined {
  const row = reader.get(byName, [chat.key, name]);
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

/**
 * Sets a checkpoint again, perhaps at another message, which makes it the last of them. Members that stay the same are
 * left out: each is in an index, and the key is in all of them.
 */
export function setAgain(
  transaction: Transaction,
  before: { readonly key: number; readonly messageKey: number },
  { lastKey, messageKey }: Pick<CheckpointToSet, 'lastKey' | 'messageKey'>,
  now: number,
): void {
  const changes: [column: string, value: number][] = [['createdAt', now]];
  if (before.key !== lastKey) changes.push(['key', lastKey + 1]);
  if (before.messageKey !== messageKey) changes.push(['messageKey', messageKey]);
  transaction.run(
    `UPDATE checkpoints SET ${changes.map(([column]) => `${column} = ?`).join(', ')} WHERE key = ?`,
    [...changes.map(([, value]) => value), before.key],
  );
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
