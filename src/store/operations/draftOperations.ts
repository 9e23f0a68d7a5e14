import { findBranch, requireBranch } from '../branches.ts';
import { findChat, requireChatRef } from '../chats.ts';
import type { Transaction } from '../database.ts';
import { putDraft, removeDraft } from '../drafts.ts';
import { quiet, type Outcome } from './outcome.ts';

/** @param data the message as JSON */
export function saveDraft(
  transaction: Transaction,
  now: number,
  { chatId, branch, data }: { chatId: string; branch: string; data: string },
): Outcome<undefined> {
  const stored = requireBranch(transaction, requireChatRef(transaction, chatId), branch);
  putDraft(transaction, stored, data, now);
  return quiet(undefined);
}

export function deleteDraft(transaction: Transaction, chatId: string, branch: string): Outcome<undefined> {
  const chat = findChat(transaction, chatId);
  const stored = chat && findBranch(transaction, chat, branch);
  if (stored) removeDraft(transaction, stored);
  return quiet(undefined);
}
