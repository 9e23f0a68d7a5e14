import type { EmptyTrash } from '../engine/trash.ts';
import type { Reader, SqlParameter, Transaction } from './database.ts';
import { movePart } from './reachability.ts';
import { integer } from './rows.ts';
import type { Piece } from './writeTypes.ts';

// Permanent removal, in batches, so that no caller waits for a huge chat; an item whose removal has begun cannot be
// restored, and is removed in the end even if the program ends before.

/** The number of rows one batch removes: some 50 ms of work. */
const PIECE = 1_000;

const leaving = '(SELECT chatKey FROM trash WHERE isLeaving = 1)';

/** Marks items for removal. @returns how many listed items */
export function beginLeaving(transaction: Transaction, options: EmptyTrash): number {
  const conditions = ['t.isLeaving = 0'];
  const parameters: SqlParameter[] = [];
  if (options.userId !== undefined) {
    conditions.push('c.userId = ?');
    parameters.push(options.userId);
  }
  if (options.deletedBefore !== undefined) {
    conditions.push('c.trashedAt < ?');
    parameters.push(options.deletedBefore);
  }
  if (options.ids !== undefined) {
    conditions.push('t.id IN (SELECT value FROM json_each(?))');
    parameters.push(JSON.stringify(options.ids));
  }
  const count = transaction.run(
    `UPDATE trash SET isLeaving = 1 WHERE chatKey IN
      (SELECT t.chatKey FROM trash t JOIN chats c ON c.key = t.chatKey WHERE ${conditions.join(' AND ')})`,
    parameters,
  );
  // Everything deleted from a chat before is removed with it.
  transaction.run(`UPDATE trash SET isLeaving = 1 WHERE isLeaving = 0 AND fromKey IN ${leaving}`);
  handOver(transaction);
  transaction.run(`DELETE FROM checkpoints WHERE chatKey IN ${leaving}`);
  transaction.run(`DELETE FROM branches WHERE chatKey IN ${leaving}`);
  return count;
}

/** The messages to remove, newest first, so that none is removed before its children. */
export function leavingMessages(reader: Reader): number[] {
  return reader
    .all(`SELECT key FROM messages WHERE chatKey IN ${leaving} ORDER BY key DESC`)
    .map((row) => integer(row, 'key'));
}

/** @param keys in descending order */
export function* pieces(keys: readonly number[]): Generator<Piece> {
  for (let start = 0; start < keys.length; start += PIECE) {
    const last = keys[start];
    const first = keys[Math.min(start + PIECE, keys.length) - 1];
    if (first !== undefined && last !== undefined) yield { first, last };
  }
}

export function removePiece(transaction: Transaction, { first, last }: Piece): void {
  const wanted = `SELECT key FROM messages WHERE key BETWEEN ? AND ? AND chatKey IN ${leaving}`;
  transaction.run(`DELETE FROM messageTexts WHERE docid IN (${wanted})`, [first, last]);
  transaction.run(`DELETE FROM messages WHERE key IN (${wanted})`, [first, last]);
}

/** Removes the rest once the messages are removed: the log, and the chats themselves. */
export function endLeaving(transaction: Transaction): void {
  transaction.run(`DELETE FROM events WHERE chatKey IN ${leaving}`);
  // Items deleted from a chat point to it.
  transaction.run(`UPDATE trash SET fromKey = NULL WHERE isLeaving = 1`);
  transaction.run(`DELETE FROM chats WHERE key IN ${leaving}`);
}

/** Items that stay in the trash may build on messages to remove: the messages become part of those items. */
function handOver(transaction: Transaction): void {
  const needed = transaction.all(
    `WITH heirs(key) AS (SELECT chatKey FROM trash WHERE isLeaving = 0 AND kind <> 'chat'),
      needs(heir, key) AS (
        SELECT n.chatKey, n.parentKey FROM heirs h JOIN messages n ON n.chatKey = h.key
        UNION ALL SELECT b.chatKey, b.headKey FROM heirs h JOIN branches b ON b.chatKey = h.key
        UNION ALL SELECT c.chatKey, c.messageKey FROM heirs h JOIN checkpoints c ON c.chatKey = h.key
      )
      SELECT n.key, n.heir, m.chatKey AS owner FROM needs n JOIN messages m ON m.key = n.key
      WHERE m.chatKey IN ${leaving}`,
  );
  for (const row of needed) {
    movePart(transaction, integer(row, 'key'), integer(row, 'owner'), integer(row, 'heir'));
  }
}
