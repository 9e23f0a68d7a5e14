import type { ChatRef } from './chats.ts';
import type { Reader, Transaction } from './database.ts';

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

/** True when no branch, checkpoint or message of a chat holds a message. */
export function isUnreached(reader: Reader, messageKey: number, chat: ChatRef): boolean {
  return reader.get(`${heldByNothingElse} SELECT 1 FROM up LIMIT 1`, [messageKey, chat.key]) !== undefined;
}

/** Moves a path back to a chat, up to where it meets the chat. */
export function movePathBack(transaction: Transaction, endKey: number, chat: ChatRef): void {
  const sql = `${outside} UPDATE messages SET chatKey = ?2 WHERE key IN (SELECT key FROM up)`;
  transaction.run(sql, [endKey, chat.key]);
}

/** True when a message of the path has an id that is now used in the chat. */
export function hasTakenIds(reader: Reader, endKey: number, chat: ChatRef): boolean {
  const sql = `${outside} SELECT 1 FROM up JOIN messages m ON m.chatKey = ?2 AND m.id = up.id LIMIT 1`;
  return reader.get(sql, [endKey, chat.key]) !== undefined;
}

/** Moves the part of a path that lies in one chat to another. */
export function movePart(transaction: Transaction, endKey: number, fromKey: number, toKey: number): void {
  const sql = `${within} UPDATE messages SET chatKey = ?3 WHERE key IN (SELECT key FROM up)`;
  transaction.run(sql, [endKey, fromKey, toKey]);
}
