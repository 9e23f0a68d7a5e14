import { CheckpointExistsError } from '../../../engine/errors.ts';
import type { CheckpointData } from '../../../engine/graph.ts';
import { requireChat, requireChatRef } from '../chats.ts';
import * as checkpoints from '../checkpoints.ts';
import { bodies, changed, type Reader, type Transaction } from '../database.ts';
import { insertEvent } from '../events.ts';
import { isUnreached, moveUnreached, insertTrash } from '../trashRows.ts';

export const checkpointWrites = bodies({
  setCheckpoint(transaction, now, { chatId, name, messageId, ...by }) {
    const { chat, messageKey } = checkpoints.requireTarget(transaction, chatId, messageId, by);
    const before = checkpoints.findCheckpoint(transaction, chat, name);
    const id = before?.checkpoint.id ?? crypto.randomUUID();
    const checkpoint = { id, chatId, name, messageId, createdAt: now };
    checkpoints.putCheckpoint(transaction, chat.key, { ...checkpoint, messageKey }, before);
    if (before && before.messageKey !== messageKey && isUnreached(transaction, before.messageKey, chat)) {
      keepInTrash(transaction, now, before);
    }
    const details = { name, from: before?.checkpoint.messageId ?? null };
    const kind = before ? 'checkpoint-moved' : 'checkpoint-set';
    insertEvent(transaction, chat, { kind, messageId, details }, now);
    const change = before ? 'moved' : 'set';
    return changed(checkpoint, { kind: 'checkpoint', chatId, checkpoint: name, change });
  },

  renameCheckpoint(transaction, now, { chatId, name, newName, ...by }) {
    const chat = requireChatRef(transaction, chatId, by);
    const checkpoint = checkpoints.requireCheckpoint(transaction, chat, name);
    if (newName !== name && checkpoints.findCheckpoint(transaction, chat, newName)) {
      throw new CheckpointExistsError(newName);
    }
    checkpoints.setCheckpointName(transaction, checkpoint, newName);
    const details = { name: newName, from: name };
    insertEvent(transaction, chat, { kind: 'checkpoint-renamed', details }, now);
    const renamed = checkpoints.requireCheckpoint(transaction, chat, newName).checkpoint;
    return changed(renamed, { kind: 'checkpoint', chatId, checkpoint: newName, change: 'renamed' });
  },
});

/** A moved checkpoint may have been the only pointer to its message: the old path can still be found in the trash. */
function keepInTrash(
  transaction: Transaction,
  now: number,
  { messageKey, checkpoint }: checkpoints.StoredCheckpoint,
): void {
  const chat = requireChat(transaction, checkpoint.chatId);
  const moved = insertTrash(transaction, chat, 'checkpoint', now);
  const { name, messageId } = checkpoint;
  const kept = { id: crypto.randomUUID(), name, messageId, messageKey, createdAt: now };
  checkpoints.putCheckpoint(transaction, moved.chatKey, kept);
  moveUnreached(transaction, messageKey, chat, moved);
}

export function getCheckpoint(reader: Reader, chatId: string, name: string): CheckpointData | undefined {
  return checkpoints.findCheckpoint(reader, requireChatRef(reader, chatId), name)?.checkpoint;
}

export function listCheckpoints(reader: Reader, chatId: string): CheckpointData[] {
  return checkpoints.selectCheckpoints(reader, requireChatRef(reader, chatId));
}
