import { CheckpointExistsError } from '../../engine/errors.ts';
import type { CheckpointData } from '../../engine/graph.ts';
import { requireChat } from '../chats.ts';
import * as checkpoints from '../checkpoints.ts';
import type { Reader, Transaction } from '../database.ts';
import { insertEvent } from '../events.ts';
import { requireMessage } from '../messages.ts';
import { changed, quiet, type Outcome } from './outcome.ts';

export function setCheckpoint(
  transaction: Transaction,
  now: number,
  chatId: string,
  name: string,
  messageId: string,
): Outcome<CheckpointData> {
  const chat = requireChat(transaction, chatId);
  const message = requireMessage(transaction, chat, messageId);
  const before = checkpoints.findCheckpoint(transaction, chat, name);
  const result = checkpoints.putCheckpoint(transaction, chat, name, message, now);
  const details = { name, from: before?.checkpoint.messageId ?? null };
  const kind = before ? 'checkpoint-moved' : 'checkpoint-set';
  insertEvent(transaction, chat, { kind, messageId, details }, now);
  const change = before ? 'moved' : 'set';
  return changed(result, { kind: 'checkpoint', chatId, checkpoint: name, change });
}

export function getCheckpoint(reader: Reader, chatId: string, name: string): CheckpointData | undefined {
  return checkpoints.findCheckpoint(reader, requireChat(reader, chatId), name)?.checkpoint;
}

export function listCheckpoints(reader: Reader, chatId: string): CheckpointData[] {
  return checkpoints.selectCheckpoints(reader, requireChat(reader, chatId));
}

export function renameCheckpoint(
  transaction: Transaction,
  now: number,
  chatId: string,
  name: string,
  newName: string,
): Outcome<CheckpointData> {
  const chat = requireChat(transaction, chatId);
  const checkpoint = checkpoints.requireCheckpoint(transaction, chat, name);
  if (newName !== name && checkpoints.findCheckpoint(transaction, chat, newName)) {
    throw new CheckpointExistsError(newName);
  }
  checkpoints.setCheckpointName(transaction, checkpoint, newName);
  const details = { name: newName, from: name };
  insertEvent(transaction, chat, { kind: 'checkpoint-renamed', details }, now);
  const renamed = checkpoints.requireCheckpoint(transaction, chat, newName).checkpoint;
  return changed(renamed, { kind: 'checkpoint', chatId, checkpoint: newName, change: 'renamed' });
}

export function deleteCheckpoint(
  transaction: Transaction,
  now: number,
  chatId: string,
  name: string,
): Outcome<boolean> {
  const chat = requireChat(transaction, chatId);
  const checkpoint = checkpoints.findCheckpoint(transaction, chat, name);
  if (!checkpoint) return quiet(false);
  checkpoints.removeCheckpoint(transaction, checkpoint);
  const { messageId } = checkpoint.checkpoint;
  insertEvent(transaction, chat, { kind: 'checkpoint-deleted', messageId, details: { name } }, now);
  return changed(true, { kind: 'checkpoint', chatId, checkpoint: name, change: 'deleted' });
}
