import {
  ActiveBranchError,
  LastBranchError,
  TrashConflictError,
  TrashEntryNotFoundError,
} from '../../../engine/errors.ts';
import type { StoreChange } from '../../../engine/graph.ts';
import type { ViewedBy } from '../../../engine/users.ts';
import type { ListTrash, RestoredEntry, TrashEntry } from '../../../engine/trash.ts';
import * as branches from '../branches.ts';
import * as chats from '../chats.ts';
import * as checkpoints from '../checkpoints.ts';
import { bodies, changed, quiet, type Reader, type Transaction, type Outcome } from '../database.ts';
import { insertEvent } from '../events.ts';
import * as trash from '../trashRows.ts';
import { hasTakenIds, movePathBack, moveUnreached } from '../trashRows.ts';
import { optionalInteger, text } from '../rows.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';

export function listTrash(reader: Reader, options: ListTrash): TrashEntry[] {
  return trash.selectTrash(reader, options).map(({ entry }) => entry);
}

export const trashWrites = bodies({
  deleteChat(transaction, now, { chatId, userId }) {
    const chat = chats.findChat(transaction, chatId);
    if (!chat || (userId !== undefined && chat.userId !== userId)) return quiet(false);
    insertEvent(transaction, chat, { kind: 'chat-deleted' }, now);
    trash.insertChatIntoTrash(transaction, chat, now);
    return changed(true, { kind: 'chat', chatId, change: 'deleted' });
  },

  deleteBranch(transaction, now, { chatId, name, ...by }) {
    const chat = chats.requireChat(transaction, chatId, by);
    const found = branches.requireBranch(transaction, chat, name);
    const { key, headKey, branch } = found;
    if (branches.selectBranches(transaction, chat, true).length === 1) throw new LastBranchError(name);
    if (branch.isActive) throw new ActiveBranchError(name);
    branches.leaveBranch(transaction, chat, found);
    const moved = trash.insertTrash(transaction, chat, 'branch', now);
    transaction.run('UPDATE branches SET chatKey = ? WHERE key = ?', [moved.chatKey, key]);
    if (headKey !== undefined) moveUnreached(transaction, headKey, chat, moved);
    const messageId = branch.headMessageId;
    insertEvent(transaction, chat, { kind: 'branch-deleted', branch: name, messageId }, now);
    const { entry } = trash.requireTrash(transaction, moved.id);
    return changed(entry, { kind: 'branch', chatId, branch: name, change: 'deleted' });
  },

  deleteCheckpoint(transaction, now, { chatId, name, ...by }) {
    const chat = chats.requireChat(transaction, chatId, by);
    const found = checkpoints.findCheckpoint(transaction, chat, name);
    if (!found) return quiet(false);
    const moved = trash.insertTrash(transaction, chat, 'checkpoint', now);
    transaction.run('UPDATE checkpoints SET chatKey = ? WHERE key = ?', [moved.chatKey, found.key]);
    moveUnreached(transaction, found.messageKey, chat, moved);
    const { messageId } = found.checkpoint;
    insertEvent(transaction, chat, { kind: 'checkpoint-deleted', messageId, details: { name } }, now);
    return changed(true, { kind: 'checkpoint', chatId, checkpoint: name, change: 'deleted' });
  },

  restoreFromTrash(transaction, now, { id, ...by }) {
    const found = trash.requireTrash(transaction, id);
    switch (found.entry.kind) {
      case 'chat':
        return restoreChat(transaction, now, found, by);
      case 'branch':
        return restoreBranch(transaction, now, found, by);
      case 'checkpoint':
        return restoreCheckpoint(transaction, now, found, by);
    }
  },
});

function restoreChat(
  transaction: Transaction,
  now: number,
  found: trash.StoredTrash,
  by: ViewedBy,
): Outcome<RestoredEntry> {
  const isTaken = chats.findChat(transaction, found.entry.chatId) !== undefined;
  const chatId = isTaken ? crypto.randomUUID() : found.entry.chatId;
  trash.removeTrash(transaction, found);
  transaction.run('UPDATE chats SET id = ?, trashedAt = NULL WHERE key = ?', [chatId, found.chatKey]);
  // Its deleted parts belong to it under its new id, too.
  transaction.run('UPDATE chats SET id = ? WHERE key IN (SELECT chatKey FROM trash WHERE fromKey = ?)', [
    chatId,
    found.chatKey,
  ]);
  insertEvent(transaction, chats.requireChatRef(transaction, chatId, by), { kind: 'chat-undeleted' }, now);
  return changed({ kind: 'chat', chatId, name: undefined }, { kind: 'chat', chatId, change: 'created' });
}

function restoreBranch(
  transaction: Transaction,
  now: number,
  found: trash.StoredTrash,
  by: ViewedBy,
): Outcome<RestoredEntry> {
  const chat = chatOf(transaction, found, by);
  const row = transaction.get('SELECT key, name, headKey FROM branches WHERE chatKey = ?', [found.chatKey]);
  if (!row) throw new TrashEntryNotFoundError();
  const headKey = optionalInteger(row, 'headKey');
  if (headKey !== undefined) bringBack(transaction, headKey, chat);
  const name = branches.freeName(transaction, chat, text(row, 'name'));
  transaction.run('UPDATE branches SET chatKey = ?, name = ? WHERE chatKey = ?', [
    chat.key,
    name,
    found.chatKey,
  ]);
  trash.removeTrash(transaction, found);
  insertEvent(transaction, chat, { kind: 'branch-undeleted', branch: name }, now);
  const change: StoreChange = { kind: 'branch', chatId: chat.id, branch: name, change: 'created' };
  return changed({ kind: 'branch', chatId: chat.id, name }, change);
}

function restoreCheckpoint(
  transaction: Transaction,
  now: number,
  found: trash.StoredTrash,
  by: ViewedBy,
): Outcome<RestoredEntry> {
  const chat = chatOf(transaction, found, by);
  const row = transaction.get('SELECT name, messageKey FROM checkpoints WHERE chatKey = ?', [found.chatKey]);
  const messageKey = row && optionalInteger(row, 'messageKey');
  if (!row || messageKey === undefined) throw new TrashEntryNotFoundError();
  bringBack(transaction, messageKey, chat);
  const name = checkpoints.freeName(transaction, chat, text(row, 'name'));
  transaction.run('UPDATE checkpoints SET chatKey = ?, name = ? WHERE chatKey = ?', [
    chat.key,
    name,
    found.chatKey,
  ]);
  trash.removeTrash(transaction, found);
  insertEvent(transaction, chat, { kind: 'checkpoint-undeleted', details: { name } }, now);
  const change: StoreChange = { kind: 'checkpoint', chatId: chat.id, checkpoint: name, change: 'set' };
  return changed({ kind: 'checkpoint', chatId: chat.id, name }, change);
}

/** The chat it belonged to. @throws TrashConflictError while that chat is in the trash itself */
function chatOf(reader: Reader, { entry, fromKey }: trash.StoredTrash, by: ViewedBy): chats.ChatRef {
  const chat = chats.findChat(reader, entry.chatId, by);
  if (chat?.key !== fromKey || !chat) {
    throw new TrashConflictError(
      defineMessage('the chat it belongs to is in the trash, too. Bring that back first'),
    );
  }
  return chat;
}

function bringBack(transaction: Transaction, endKey: number, chat: chats.ChatRef): void {
  if (hasTakenIds(transaction, endKey, chat)) {
    throw new TrashConflictError(defineMessage('the chat has other messages of the same ids by now'));
  }
  movePathBack(transaction, endKey, chat);
}
