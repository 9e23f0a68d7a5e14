import { DamagedDataError, TrashEntryNotFoundError } from '../../engine/errors.ts';
import type { ListTrash, TrashEntry } from '../../engine/trash.ts';
import { nextKey, type StoredChat, type ChatRef } from './chats.ts';
import type { Reader, SqlParameter, SqlRow, Transaction } from './database.ts';
import { integer, json, optionalInteger, optionalText, text } from './rows.ts';

// Deleted items move to a hidden chat: a deleted chat is hidden itself; a branch gets a new hidden chat, and takes
// along the messages that nothing else reaches. They keep their positions in the tree, so moving them back is the
// whole undo.

export interface StoredTrash {
  /** The hidden chat that holds it. */
  readonly chatKey: number;
  /** The chat that a branch or a checkpoint was deleted from. */
  readonly fromKey: number | undefined;
  readonly entry: TrashEntry;
}

export interface NewTrash {
  readonly chatKey: number;
  readonly id: string;
}

/** The first message in the hidden chat `t`, or else the question that it answers, which may be in the chat itself. */
const subject = `WITH RECURSIVE up(parentKey, depth, name, data) AS (
    SELECT * FROM (SELECT parentKey, depth, name, data FROM messages
      WHERE chatKey = t.chatKey AND type = 'message' ORDER BY depth LIMIT 1)
    UNION ALL
    SELECT m.parentKey, m.depth, m.name, m.data FROM up u JOIN messages m ON m.key = u.parentKey
      WHERE u.name = 'assistant'
  ) SELECT data FROM up ORDER BY name = 'user' DESC, depth DESC LIMIT 1`;

const select = `SELECT t.chatKey, t.fromKey, t.id, t.kind, c.id AS chatId, coalesce(f.title, c.title) AS title, c.trashedAt,
    coalesce((SELECT name FROM branches WHERE chatKey = t.chatKey), (SELECT name FROM checkpoints WHERE chatKey = t.chatKey))
      AS name,
    (SELECT count(*) FROM messages WHERE chatKey = t.chatKey AND type = 'message') AS messageCount,
    CASE t.kind WHEN 'branch' THEN (${subject}) END AS subject
  FROM trash t JOIN chats c ON c.key = t.chatKey LEFT JOIN chats f ON f.key = t.fromKey
  WHERE t.isLeaving = 0`;

export function selectTrash(reader: Reader, options: ListTrash): StoredTrash[] {
  const conditions = ['f.trashedAt IS NULL'];
  const parameters: SqlParameter[] = [];
  if (options.userId !== undefined) {
    conditions.push('c.userId = ?');
    parameters.push(options.userId);
  }
  if (options.chatId !== undefined) {
    conditions.push('c.id = ?');
    parameters.push(options.chatId);
  }
  const where = conditions.map((condition) => `AND ${condition}`).join(' ');
  return reader.all(`${select} ${where} ORDER BY t.number DESC`, parameters).map(asTrash);
}

/** @throws TrashEntryNotFoundError */
export function requireTrash(reader: Reader, id: string): StoredTrash {
  const row = reader.get(`${select} AND t.id = ?`, [id]);
  if (!row) throw new TrashEntryNotFoundError();
  return asTrash(row);
}

/** Makes the hidden chat that a part of a chat moves to. */
export function insertTrash(
  transaction: Transaction,
  chat: StoredChat,
  kind: 'branch' | 'checkpoint',
  now: number,
): NewTrash {
  const key = nextKey(transaction, 'chats');
  transaction.run(
    `INSERT INTO chats (key, id, userId, title, metadata, createdAt, updatedAt, trashedAt)
      VALUES (?, ?, ?, ?, '{}', ?, ?, ?)`,
    [key, chat.id, chat.userId, chat.title ?? null, chat.createdAt, now, now],
  );
  return insertEntry(transaction, { chatKey: key, kind, fromKey: chat.key });
}

export function insertChatIntoTrash(transaction: Transaction, chat: StoredChat, now: number): void {
  transaction.run('UPDATE chats SET trashedAt = ? WHERE key = ?', [now, chat.key]);
  insertEntry(transaction, { chatKey: chat.key, kind: 'chat', fromKey: null });
}

/** Removes an entry from the trash, with its hidden chat, unless that is the deleted chat itself. */
export function removeTrash(transaction: Transaction, { chatKey, entry }: StoredTrash): void {
  transaction.run('DELETE FROM trash WHERE chatKey = ?', [chatKey]);
  if (entry.kind !== 'chat') transaction.run('DELETE FROM chats WHERE key = ?', [chatKey]);
}

function insertEntry(
  transaction: Transaction,
  { chatKey, kind, fromKey }: { chatKey: number; kind: TrashEntry['kind']; fromKey: number | null },
): NewTrash {
  const id = crypto.randomUUID();
  transaction.run(
    'INSERT INTO trash (chatKey, id, kind, fromKey, isLeaving, number) VALUES (?, ?, ?, ?, 0, ?)',
    [chatKey, id, kind, fromKey, nextKey(transaction, 'trash')],
  );
  return { chatKey, id };
}

function asTrash(row: SqlRow): StoredTrash {
  const kind = text(row, 'kind');
  if (kind !== 'chat' && kind !== 'branch' && kind !== 'checkpoint') {
    throw new DamagedDataError(`"${kind}" is no kind of thing in the trash`);
  }
  return {
    chatKey: integer(row, 'chatKey'),
    fromKey: optionalInteger(row, 'fromKey'),
    entry: {
      id: text(row, 'id'),
      kind,
      chatId: text(row, 'chatId'),
      chatTitle: optionalText(row, 'title'),
      name: kind === 'chat' ? undefined : text(row, 'name'),
      subject: row['subject'] === null ? undefined : json(row, 'subject'),
      messageCount: integer(row, 'messageCount'),
      deletedAt: integer(row, 'trashedAt'),
    },
  };
}

// Which messages only one branch or checkpoint leads to, and moving them out of a chat and back. A message is held by
// the branches and checkpoints at it and by its children, so messages held by nothing else are the end of a path.

/** From a message up, as long as nothing in the chat holds the message except the child just visited. */
const heldByNothingElse = `WITH RECURSIVE up(key, parentKey) AS (
    SELECT m.key, m.parentKey FROM messages m WHERE m.key = ?1 AND ${free('NULL')}
    UNION ALL
    SELECT m.key, m.parentKey FROM up u JOIN messages m ON m.key = u.parentKey WHERE ${free('u.key')}
  )`;

/** The plus keeps SQLite from using the chat's index, which is as long as the chat. */
function free(cameFrom: string): string {
  return `m.chatKey = ?2
      AND NOT EXISTS (SELECT 1 FROM branches b WHERE b.headKey = m.key AND +b.chatKey = ?2)
      AND NOT EXISTS (SELECT 1 FROM checkpoints c WHERE c.messageKey = m.key AND +c.chatKey = ?2)
      AND NOT EXISTS
        (SELECT 1 FROM messages n WHERE n.parentKey = m.key AND +n.chatKey = ?2 AND n.key IS NOT ${cameFrom})`;
}

/** The first of them, without the rest: SQLite prepares what recurses again on each run. */
const isHeldByNothing = `SELECT 1 FROM messages m WHERE m.key = ?1 AND ${free('NULL')}`;

/** From a message up, as long as the messages belong to another chat. */
const outside = `WITH RECURSIVE up(key, parentKey, id) AS (
    SELECT key, parentKey, id FROM messages WHERE key = ?1 AND chatKey <> ?2
    UNION ALL
    SELECT m.key, m.parentKey, m.id FROM up u JOIN messages m ON m.key = u.parentKey WHERE m.chatKey <> ?2
  )`;

/** From a message up, as long as the messages belong to one chat. */
const within = `WITH RECURSIVE up(key, parentKey) AS (
    SELECT key, parentKey FROM messages WHERE key = ?1 AND chatKey = ?2
    UNION ALL
    SELECT m.key, m.parentKey FROM up u JOIN messages m ON m.key = u.parentKey WHERE m.chatKey = ?2
  )`;

/**
 * Moves the messages that only the path to this message reaches, from its end up.
 * @param endKey a message that no branch or checkpoint of the chat points to any more for this path
 */
export function moveUnreached(
  transaction: Transaction,
  endKey: number,
  from: { readonly key: number },
  to: { readonly chatKey: number },
): void {
  const sql = `${heldByNothingElse} UPDATE messages SET chatKey = ?3 WHERE key IN (SELECT key FROM up)`;
  transaction.run(sql, [endKey, from.key, to.chatKey]);
}

export function isUnreached(reader: Reader, messageKey: number, chat: ChatRef): boolean {
  return reader.get(isHeldByNothing, [messageKey, chat.key]) !== undefined;
}

/** Moves a path back to a chat, up to where it meets the chat. */
export function movePathBack(transaction: Transaction, endKey: number, chat: ChatRef): void {
  const sql = `${outside} UPDATE messages SET chatKey = ?2 WHERE key IN (SELECT key FROM up)`;
  transaction.run(sql, [endKey, chat.key]);
}

export function hasTakenIds(reader: Reader, endKey: number, chat: ChatRef): boolean {
  const sql = `${outside} SELECT 1 FROM up JOIN messages m ON m.chatKey = ?2 AND m.id = up.id LIMIT 1`;
  return reader.get(sql, [endKey, chat.key]) !== undefined;
}

export function movePart(transaction: Transaction, endKey: number, fromKey: number, toKey: number): void {
  const sql = `${within} UPDATE messages SET chatKey = ?3 WHERE key IN (SELECT key FROM up)`;
  transaction.run(sql, [endKey, fromKey, toKey]);
}
