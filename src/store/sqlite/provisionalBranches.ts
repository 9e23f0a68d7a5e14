import type { StoreChange } from '../../engine/graph.ts';
import type { JsonObject } from '../../engine/json.ts';
import { isNoMove } from '../common/logMoves.ts';
import { activate, findActiveBranch, handOverChildren, type StoredBranch } from './branches.ts';
import type { ChatRef } from './chats.ts';
import type { Reader, Transaction } from './database.ts';
import { insertEvent } from './events.ts';
import { integer, jsonObject } from './rows.ts';

// A provisional branch is removed when it is left, unless something was added or set on it. The log shows this: the
// last event of the branch is then no longer its creation.

/** `IN (?)` because with `=` SQLite would prepare it again each time, as a parameter might affect the order. */
const lastEvent = `SELECT sequence, details FROM events
  WHERE chatKey IN (?) AND branch IN (?) AND ${isNoMove} ORDER BY sequence DESC LIMIT 1`;
const markedSince = `SELECT 1 FROM events WHERE chatKey = ? AND sequence > ?
  AND kind IN ('checkpoint-set', 'checkpoint-moved') AND messageId = ? LIMIT 1`;
/** The owner's branch is marked; that of another user is in a separate table. */
const isShared = `SELECT 1 FROM branches WHERE key = ?1 AND isActive = 1
  UNION ALL SELECT 1 FROM activeBranches WHERE branchKey = ?1 LIMIT 1`;
const isAnswered = 'SELECT 1 FROM drafts WHERE branchKey = ?';

export function provisionalDetails(isProvisional: boolean): JsonObject {
  return isProvisional ? { provisional: true } : {};
}

/** The previous one is removed if it was provisional and is empty. @param left the previous one, if known */
export function goTo(
  transaction: Transaction,
  chat: ChatRef,
  branch: StoredBranch,
  now: number,
  left = findActiveBranch(transaction, chat),
): StoreChange[] {
  activate(transaction, chat, branch);
  return left && left.key !== branch.key && isUnused(transaction, chat, left)
    ? drop(transaction, chat, left, now)
    : [];
}

function isUnused(reader: Reader, chat: ChatRef, { key, branch }: StoredBranch): boolean {
  const { name, headMessageId, forkMessageId, archivedAt } = branch;
  if (headMessageId !== forkMessageId || archivedAt !== undefined) return false;
  const last = reader.get(lastEvent, [chat.key, name]);
  if (!last || jsonObject(last, 'details')['provisional'] !== true) return false;
  const isMarked =
    reader.get(markedSince, [chat.key, integer(last, 'sequence'), headMessageId]) !== undefined;
  // Another user may be on it, and wait for an answer there.
  return !isMarked && [isShared, isAnswered].every((sql) => reader.get(sql, [key]) === undefined);
}

function drop(
  transaction: Transaction,
  chat: ChatRef,
  { key, branch }: StoredBranch,
  now: number,
): StoreChange[] {
  const { name, headMessageId: messageId, parentBranch } = branch;
  handOverChildren(transaction, key);
  transaction.run('DELETE FROM branches WHERE key = ?', [key]);
  const details = { from: parentBranch ?? null };
  insertEvent(transaction, chat, { kind: 'branch-dropped', branch: name, messageId, details }, now);
  return [{ kind: 'branch', chatId: chat.id, branch: name, change: 'dropped' }];
}
