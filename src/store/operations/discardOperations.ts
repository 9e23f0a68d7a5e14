import { ActiveBranchError, LastBranchError } from '../../engine/errors.ts';
import type { ViewedBy } from '../../engine/viewedBy.ts';
import { namedIn } from '../blobCollection.ts';
import * as branches from '../branches.ts';
import * as chats from '../chats.ts';
import type { Transaction } from '../database.ts';
import { insertEvent } from '../events.ts';
import { beginLeaving } from '../purge.ts';
import { moveUnreached } from '../reachability.ts';
import { integer, text } from '../rows.ts';
import * as trash from '../trashRows.ts';
import type { DiscardedMessages } from '../writeTypes.ts';
import { changed, type Outcome } from './outcome.ts';

const removed = 'SELECT id, data, effects, createdAt FROM messages WHERE chatKey = ?';
const removals = [
  'DELETE FROM messageTexts WHERE docid IN (SELECT key FROM messages WHERE chatKey = ?)',
  'DELETE FROM messages WHERE chatKey = ?',
];
/** Log entries about the branch, or about a removed message. */
const removeEvents = `DELETE FROM events
  WHERE chatKey = ? AND (branch = ? OR messageId IN (SELECT value FROM json_each(?)))`;

/** Removes a branch permanently, in one transaction, with the messages that nothing else reaches. */
export function discardBranch(
  transaction: Transaction,
  now: number,
  chatId: string,
  name: string,
  by: ViewedBy,
): Outcome<DiscardedMessages> {
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
  const sequence = chats.nextKey(transaction, 'events', 'sequence');
  transaction.run(removeEvents, [chat.key, name, ids]);
  const event = { kind: 'branch-deleted', branch: name, details: { discarded: true } } as const;
  insertEvent(transaction, chat, event, now, sequence);
  return changed(
    { messages: rows.length, named },
    { kind: 'branch', chatId, branch: name, change: 'deleted' },
  );
}
