import { quiet, type Transaction, type Outcome } from '../database.ts';
import * as purge from '../purge.ts';
import { discardBranch } from '../purge.ts';
import type { WriteArguments, WriteName, WriteResults } from '../writeTypes.ts';
import * as branches from './branchOperations.ts';
import * as chats from './chatOperations.ts';
import * as checkpoints from './checkpointOperations.ts';
import * as drafts from './draftOperations.ts';
import { logEvent } from '../events.ts';
import * as messages from './messageOperations.ts';
import { extendChat } from './extendOperations.ts';
import * as portable from './portableOperations.ts';
import * as trash from './trashOperations.ts';

/** Runs a write in a transaction. */
export type Write<N extends WriteName> = (
  transaction: Transaction,
  now: number,
  given: WriteArguments[N],
) => Outcome<WriteResults[N]>;

const writes: { readonly [N in WriteName]: Write<N> } = {
  createChat: chats.createChat,
  upsertChat: chats.upsertChat,
  updateChat: (transaction, now, { chatId, changes }) => chats.updateChat(transaction, now, chatId, changes),
  updateSeenChat: (transaction, now, { chatId, seen, changes }) =>
    chats.updateSeenChat(transaction, now, chatId, seen, changes),
  addUsage: (transaction, now, { chatId, usage }) => chats.addUsage(transaction, now, chatId, usage),
  deleteChat: (transaction, now, { chatId, ...owned }) => trash.deleteChat(transaction, now, chatId, owned),
  saveMessages: messages.saveMessages,
  createBranch: branches.createBranch,
  addBranch: branches.addBranch,
  activateBranch: (transaction, now, { chatId, name, ...by }) =>
    branches.activateBranch(transaction, now, chatId, name, by),
  renameBranch: (transaction, now, { chatId, name, newName, ...by }) =>
    branches.renameBranch(transaction, now, chatId, name, newName, by),
  archiveBranch: (transaction, now, { chatId, name, ...by }) =>
    branches.archiveBranch(transaction, now, chatId, name, by),
  unarchiveBranch: (transaction, now, { chatId, name, ...by }) =>
    branches.unarchiveBranch(transaction, now, chatId, name, by),
  deleteBranch: (transaction, now, { chatId, name, ...by }) =>
    trash.deleteBranch(transaction, now, chatId, name, by),
  discardBranch: (transaction, now, { chatId, name, ...by }) =>
    discardBranch(transaction, now, chatId, name, by),
  importChats: (transaction, _now, { userId, chats: given }) =>
    portable.importChats(transaction, userId, given),
  extendChat,
  setCheckpoint: (transaction, now, { chatId, name, messageId, ...by }) =>
    checkpoints.setCheckpoint(transaction, now, chatId, name, messageId, by),
  renameCheckpoint: (transaction, now, { chatId, name, newName, ...by }) =>
    checkpoints.renameCheckpoint(transaction, now, chatId, name, newName, by),
  deleteCheckpoint: (transaction, now, { chatId, name, ...by }) =>
    trash.deleteCheckpoint(transaction, now, chatId, name, by),
  saveTitle: chats.saveTitle,
  logEvent,
  saveDraft: drafts.saveDraft,
  deleteDraft: (transaction, now, { chatId, branch, ...by }) =>
    drafts.deleteDraft(transaction, now, chatId, branch, by),
  restoreFromTrash: (transaction, now, { id, ...by }) => trash.restoreFromTrash(transaction, now, id, by),
  beginLeaving: (transaction, _now, options) => quiet(purge.beginLeaving(transaction, options)),
  removePiece: (transaction, _now, piece) => {
    purge.removePiece(transaction, piece);
    return quiet(undefined);
  },
  endLeaving: (transaction) => {
    purge.endLeaving(transaction);
    return quiet(undefined);
  },
};

/** Runs the write of this name. */
export function runWrite<N extends WriteName>(
  name: N,
  transaction: Transaction,
  now: number,
  given: WriteArguments[N],
): Outcome<WriteResults[N]> {
  return writes[name](transaction, now, given);
}

/** Whether there is a write of this name. */
export function isWriteName(name: string): name is WriteName {
  return Object.hasOwn(writes, name);
}
