import type { EmptyTrash } from '../../engine/trash.ts';
import { bodies, changed, quiet, type Reader, type SqlParameter, type Transaction } from './database.ts';
import * as trash from './trashRows.ts';
import { movePart, moveUnreached } from './trashRows.ts';
import { integer, text } from './rows.ts';
import type { WriteArguments } from '../common/storeWrites.ts';
import { ActiveBranchError, LastBranchError } from '../../engine/errors.ts';
import { namedIn } from './blobCollection.ts';
import * as branches from './branches.ts';
import * as chats from './chats.ts';
import { insertEvent } from './events.ts';

// Permanent removal, in batches, so that no caller waits for a huge chat; an item whose removal has begun cannot be
// restored, and is removed in the end even if the program ends before.

type Piece = WriteArguments['removePiece'];

/** The number of rows one batch removes: some 50 ms of work. */
const PIECE = 1_000;

const leaving = '(SELECT chatKey FROM trash WHERE isLeaving = 1)';

/** @returns how many listed items */
function beginLeaving(transaction: Transaction, options: EmptyTrash): number {
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

const removed = 'SELECT id, data, effects, createdAt FROM messages WHERE chatKey = ?';
const removals = [
  'DELETE FROM messageTexts WHERE docid IN (SELECT key FROM messages WHERE chatKey = ?)',
  'DELETE FROM messages WHERE chatKey = ?',
];
const removeEvents = `DELETE FROM events
  WHERE chatKey = ? AND (branch = ? OR messageId IN (SELECT value FROM json_each(?)))`;

export const purgeWrites = bodies({
  /** Removes a branch permanently, in one transaction, with the messages that nothing else reaches. */
  discardBranch(transaction, now, { chatId, name, ...by }) {
    const chat = chats.requireChat(transaction, chatId, by);
    const found = branches.requireBranch(transaction, chat, name);
    const { key, headKey, branch } = found;
    if (branches.selectBranches(transaction, chat, true).length === 1) throw new LastBranchError(name);
    if (branch.isActive) throw new ActiveBranchError(name);
    branches.leaveBranch(transaction, chat, found);
    branches.handOverChildren(transaction, key);
    // Items in the trash that build on its messages get those messages.
    const moved = trash.insertTrash(transaction, chat, 'branch', now);
    transaction.run('UPDATE branches SET chatKey = ? WHERE key = ?', [moved.chatKey, key]);
    if (headKey !== undefined) moveUnreached(transaction, headKey, chat, moved);
    beginLeaving(transaction, { ids: [moved.id] });
    const rows = transaction.all(removed, [moved.chatKey]);
    const named = new Map<string, number>();
    for (const row of rows) {
      const savedAt = integer(row, 'createdAt');
      const { effects } = row;
      const texts = `${text(row, 'data')} ${typeof effects === 'string' ? effects : ''}`;
      for (const hash of namedIn(texts)) named.set(hash, Math.max(savedAt, named.get(hash) ?? 0));
    }
    for (const sql of removals) transaction.run(sql, [moved.chatKey]);
    transaction.run('DELETE FROM trash WHERE chatKey = ?', [moved.chatKey]);
    transaction.run('DELETE FROM chats WHERE key = ?', [moved.chatKey]);
    const ids = JSON.stringify(rows.map((row) => text(row, 'id')));
    // A sequence number is never reused: other entries may refer to it.
    const sequence = chats.nextKey(transaction, 'events');
    transaction.run(removeEvents, [chat.key, name, ids]);
    const event = { kind: 'branch-deleted', branch: name, details: { discarded: true } } as const;
    insertEvent(transaction, chat, event, now, sequence);
    return changed(
      { messages: rows.length, named },
      { kind: 'branch', chatId, branch: name, change: 'deleted' },
    );
  },

  beginLeaving: (transaction, _now, options) => quiet(beginLeaving(transaction, options)),

  removePiece(transaction, _now, { first, last }) {
    const wanted = `SELECT key FROM messages WHERE key BETWEEN ? AND ? AND chatKey IN ${leaving}`;
    transaction.run(`DELETE FROM messageTexts WHERE docid IN (${wanted})`, [first, last]);
    transaction.run(`DELETE FROM messages WHERE key IN (${wanted})`, [first, last]);
    return quiet(undefined);
  },

  /** Removes the rest once the messages are removed: the log, and the chats themselves. */
  endLeaving(transaction) {
    transaction.run(`DELETE FROM events WHERE chatKey IN ${leaving}`);
    // Items deleted from a chat point to it.
    transaction.run(`UPDATE trash SET fromKey = NULL WHERE isLeaving = 1`);
    transaction.run(`DELETE FROM chats WHERE key IN ${leaving}`);
    return quiet(undefined);
  },
});
